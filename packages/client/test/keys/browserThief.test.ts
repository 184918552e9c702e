import { expect, test } from 'vitest'
import { createBrowserRemoval, openSeed } from '@privity/e2ee/browserEntry'
import { createBrowser, type ModelBrowser } from '../support/browserModel/browser.ts'
import { createAccount } from '../support/browserModel/run.ts'
import { createServer, duration } from '../support/browserModel/server.ts'

const account = await createAccount()

/** An account in the mode "Only approved browsers", whose calls all arrive. */
function createWorld({ isApproved = true } = {}) {
  let time = Date.UTC(2030, 0, 31, 12)
  const now = () => time
  const server = createServer(now, isApproved, account)
  const alarms: string[] = []
  const alarm = (code: string) => void alarms.push(code)
  const call = async <T>(work: () => T) => work()
  const visit = (browser: ModelBrowser) => browser.openTab().visit()
  async function idOf(browser: ModelBrowser): Promise<string> {
    return (await browser.browserId()) ?? ''
  }
  /** The numbers of living epochs that a copied disk opens with everything in the database. */
  async function opensFor(copy: Awaited<ReturnType<ModelBrowser['copy']>>): Promise<number[]> {
    const { browserId = '', kemSeeds = [] } = copy ?? {}
    const opened: number[] = []
    for (const { n, sealed } of [...server.sealed.values()].filter((each) => each.browserId === browserId)) {
      const binding = { userId: account.userId, n, browserId }
      const tries = kemSeeds.map((seed) => openSeed(seed, binding, sealed).catch(() => undefined))
      if ((await Promise.all(tries)).some(Boolean)) opened.push(n)
    }
    return opened
  }
  return {
    now,
    server,
    alarms,
    visit,
    idOf,
    opensFor,
    pass: (milliseconds: number) => void (time += milliseconds),
    create: (shown = server) => createBrowser({ account, server: shown, now, call, alarm }),
    numbers: () => server.living().map(({ n }) => n),
  }
}

test('a copied disk opens nothing once its browser has published', async () => {
  const { create, visit, pass, opensFor } = createWorld()
  const browser = create()
  await visit(browser)
  const copy = await browser.copy()
  expect(await opensFor(copy)).toEqual([1, 2])
  pass(duration)
  await visit(browser)
  expect(await opensFor(copy)).toEqual([])
})

test('a copied disk is out at the publication after its browser was here, whoever publishes', async () => {
  const { create, visit, pass, opensFor, numbers } = createWorld()
  const [publisher, copied] = [create(), create()]
  await visit(publisher)
  await visit(copied)
  const copy = await copied.copy()
  for (let day = 0; day < 2; day++) {
    pass(duration)
    await visit(publisher)
    await visit(copied)
  }
  expect(await opensFor(copy)).toEqual([])
  expect([...(await visit(copied)).keys()]).toEqual(numbers())
})

test('a removed browser opens nothing of what is left in the database or published later', async () => {
  const { create, visit, idOf, opensFor, pass, server } = createWorld()
  const [own, removed] = [create(), create()]
  await visit(own)
  await visit(removed)
  const copy = await removed.copy()
  pass(1)
  await own.openTab().remove(await idOf(removed))
  expect(await opensFor(copy)).toEqual([])
  expect(server.listedIds()).toEqual([await idOf(own)])
})

test('a removed browser comes back under another id, and opens nothing from before', async () => {
  const { create, visit, idOf, pass, server } = createWorld()
  const [own, removed] = [create(), create()]
  await visit(own)
  await visit(removed)
  const before = await idOf(removed)
  pass(1)
  await own.openTab().remove(before)
  const newest = server.living().at(-1)?.n ?? 0
  pass(1)
  const held = await visit(removed)
  expect(await idOf(removed)).not.toBe(before)
  expect(Math.min(...held.keys())).toBeGreaterThan(newest)
})

test('a password, the database and the secret of the server open no seed', async () => {
  const { create, visit, server } = createWorld()
  await visit(create())
  expect(server.living().map(({ wrappedSeed }) => wrappedSeed)).toEqual([undefined, undefined])
})

test('a new browser sends and receives at once, and opens what was before once approved', async () => {
  const { create, visit, idOf, pass, numbers, server } = createWorld()
  const [own, added] = [create(), create()]
  await visit(own)
  pass(1)
  expect([...(await visit(added)).keys()]).toEqual([3, 4])
  expect([...(await visit(own)).keys()]).toEqual(numbers())
  await own.openTab().approve(await idOf(added), server.entryHashOf(await idOf(added)))
  expect([...(await visit(added)).keys()]).toEqual(numbers())
})

test('the recovery key opens what was before, although every other browser is lost', async () => {
  const { create, visit, pass, numbers } = createWorld()
  await visit(create())
  pass(1)
  const added = create()
  await visit(added)
  await added.openTab().openWithRecoveryKey({ kemSeed: account.recoverySeed, proof: '' })
  expect([...(await visit(added)).keys()]).toEqual(numbers())
})

test('the recovery key approves a browser that is not listed yet', async () => {
  const { create, visit, pass, server, idOf, numbers } = createWorld()
  await visit(create())
  pass(1)
  const added = create()
  await added.openTab().openWithRecoveryKey({ kemSeed: account.recoverySeed, proof: '' })
  expect(server.listedIds()).toContain(await idOf(added))
  expect([...(await visit(added)).keys()]).toEqual(numbers())
})

test('a seed of the recovery key that does not open keeps none of the others back', async () => {
  const { create, visit, pass, numbers, server } = createWorld()
  await visit(create())
  pass(1)
  const added = create()
  await visit(added)
  const [damaged, other] = server.getRecoverySeeds()
  if (damaged && other) damaged.sealed = other.sealed
  await added.openTab().openWithRecoveryKey({ kemSeed: account.recoverySeed, proof: '' })
  expect([...(await visit(added)).keys()]).toEqual(numbers().filter((n) => n !== damaged?.n))
})

test('switching the mode on destroys every wrapped seed, and publishes epochs that never had one', async () => {
  const { create, visit, pass, server } = createWorld({ isApproved: false })
  const [own, other] = [create(), create()]
  await visit(own)
  await visit(other)
  const before = server.living().map(({ n, wrappedSeed }) => [n, wrappedSeed !== undefined])
  expect(before).toEqual([
    [1, true],
    [2, true],
  ])
  pass(1)
  await own.openTab().setOnlyApproved(true)
  expect(server.living().map(({ n, wrappedSeed }) => [n, wrappedSeed])).toEqual([
    [1, undefined],
    [3, undefined],
    [4, undefined],
  ])
  expect([...(await visit(other)).keys()]).toEqual([1, 3, 4])
})

test('switching the mode off lets a new browser open everything again', async () => {
  const { create, visit, pass, numbers } = createWorld()
  const own = create()
  await visit(own)
  await own.openTab().setOnlyApproved(false)
  pass(1)
  expect([...(await visit(create())).keys()]).toEqual(numbers())
})

test('in the default mode nothing is sealed to a browser', async () => {
  const { create, visit, pass, server } = createWorld({ isApproved: false })
  const [own, other] = [create(), create()]
  for (let day = 0; day < 2; day++) {
    await visit(own)
    await visit(other)
    pass(duration)
  }
  expect(server.sealed.size).toBe(0)
})

test('a copy that publishes raises an alarm in its original, which goes on under another id', async () => {
  const { create, visit, idOf, pass, alarms, server } = createWorld()
  const browser = create()
  await visit(browser)
  const copy = await browser.duplicate()
  const before = await idOf(browser)
  pass(duration)
  await visit(copy)
  expect(alarms).toEqual([])
  pass(1)
  await visit(browser)
  expect(alarms).toEqual(['BROWSER_COPIED'])
  expect(await idOf(browser)).not.toBe(before)
  expect(server.listedIds()).toContain(before)
})

test('a removal whose page ends is followed by a publication at the next visit of any browser', async () => {
  const { create, visit, idOf, pass, now, server } = createWorld()
  const [own, removed] = [create(), create()]
  await visit(own)
  await visit(removed)
  const newest = server.living().at(-1)?.n ?? 0
  const { userId, identity } = account
  server.remove(await createBrowserRemoval(identity, { userId, browserId: await idOf(removed), createdAt: now() }))
  pass(1)
  await visit(own)
  expect(server.living().at(-1)?.n).toBeGreaterThan(newest)
})

test('a seed that a single response shows damaged is not lost when the entry is renewed', async () => {
  const { create, visit, pass, numbers, opensFor, server, alarms } = createWorld()
  let answers = 0
  const getKeys = (browserId: string) => {
    const keys = server.getKeys(browserId)
    const [first, ...others] = keys.epochs
    const isDamaged = answers++ % 2 === 0
    return first && isDamaged
      ? { ...keys, epochs: [{ ...first, sealedSeed: others.at(-1)?.sealedSeed }, ...others] }
      : keys
  }
  const [publisher, browser] = [create(), create({ ...server, getKeys })]
  await visit(publisher)
  await browser.openTab().setOnlyApproved(true)
  pass(duration)
  await visit(publisher)
  const before = await browser.copy()
  await browser.openTab().setOnlyApproved(true)
  expect(await opensFor(before)).not.toContain(numbers().at(-1))
  expect(await opensFor(await browser.copy())).toEqual(numbers())
  expect(alarms).toEqual([])
})

/** A browser that has published twice. The returned `show` alters the next responses with its keys. */
async function createRenewed() {
  const world = createWorld()
  const { create, visit, idOf, pass, server } = world
  type Keys = ReturnType<typeof server.getKeys>
  const shown: ((keys: Keys) => Keys)[] = []
  const getKeys = (browserId: string) => {
    const keys = server.getKeys(browserId)
    return shown.shift()?.(keys) ?? keys
  }
  const browser = create({ ...server, getKeys })
  await visit(browser)
  const id = await idOf(browser)
  const { own } = server.getKeys(id)
  pass(duration)
  await visit(browser)
  await browser.openTab().ownEntry()
  const show = (change: (keys: Keys) => Keys, times: number) =>
    shown.push(...Array.from({ length: times }, () => change))
  return { ...world, browser, id, show, showFormer: (times: number) => show((keys) => ({ ...keys, own }), times) }
}

test('a single response with an entry from before another tab renewed it raises no alarm', async () => {
  const { browser, showFormer, alarms } = await createRenewed()
  showFormer(1)
  await browser.openTab().setOnlyApproved(true)
  expect(alarms).toEqual([])
})

test('a former entry that the server keeps showing raises an alarm, and is not compared', async () => {
  const { browser, showFormer, alarms } = await createRenewed()
  showFormer(2)
  expect(await browser.openTab().ownEntry()).toBeUndefined()
  expect(alarms).toEqual(['OWN_KEYS_OLDER'])
})

test('a removed browser that the server keeps listing goes on under another id', async () => {
  const { browser, id, idOf, now, show } = await createRenewed()
  const { userId, identity } = account
  const removal = await createBrowserRemoval(identity, { userId, browserId: id, createdAt: now() })
  show((keys) => ({ ...keys, removed: [removal] }), 1)
  expect(await browser.openTab().ownEntry()).toBeUndefined()
  expect(await idOf(browser)).not.toBe(id)
})
