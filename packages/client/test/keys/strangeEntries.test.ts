import { browsers as contract } from '@privity/contract/browsers'
import type { OwnKeys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { signedBrowserBytes, signedLinkBytes } from '@privity/contract/signedBytes'
import {
  createIdentity,
  fromBase64url,
  type Identity,
  importIdentity,
  newId,
  randomBytes,
  toBase64url,
} from '@privity/e2ee'
import { type BrowserEntry, browserEntryHash, createBrowserEntry, signBrowserSession } from '@privity/e2ee/browserEntry'
import { expect, test, vi } from 'vitest'
import { createTabs } from '../../src/device/tabs.ts'
import { createMemoryDevice } from '../../src/index.ts'
import { acceptBrowsers } from '../../src/keys/browsers/browserList.ts'
import { openIdentity } from '../../src/keys/ownIdentity.ts'
import { accountKeyOf } from '../support/accountKey.ts'
import { browserIdOf, browserListed, keysFor } from '../support/browsers.ts'
import { createStage, type Person, type Stage } from '../support/stage.ts'

vi.setConfig({ testTimeout: 60_000 })

/** The key of the browsers that are listed here. */
const signSeed = randomBytes(32)

/** Anna with "Only approved browsers", and what somebody with her password can sign and send. */
async function createScene(stage: Stage) {
  const anna = await stage.signUp('anna')
  await browserListed(anna)
  await anna.client.browsers.setOnlyApproved(true)
  const { identity } = await openIdentity(await accountKeyOf(anna), await keysFor(anna))
  const elsewhere = await stage.signIn(anna)
  elsewhere.client.close()
  const { id: sessionId } = (await elsewhere.client.call(session.getUser, {})).session
  async function put(entry: BrowserEntry): Promise<BrowserEntry> {
    const bound = { userId: anna.user.id, sessionId, browserId: entry.browserId }
    const sessionSignature = await signBrowserSession(signSeed, bound)
    await elsewhere.client.call(contract.putOwn, { body: { entry, seen: [], seeds: [], sessionSignature } })
    return entry
  }
  return { anna, identity, put }
}

function entryOf(
  stage: Stage,
  { user, identity }: { user: Person['user']; identity: Identity },
  change: { browserId?: string; previous?: BrowserEntry } = {},
): Promise<BrowserEntry> {
  const createdAt = stage.server.clock.now()
  const { browserId = newId(createdAt), previous } = change
  const kemSeed = randomBytes(32)
  return createBrowserEntry({
    ...{ identity, userId: user.id, browserId, createdAt },
    ...{ n: (previous?.n ?? 0) + 1, seeds: { kemSeed, signSeed }, signer: signSeed },
  })
}

/** Waits for a publication, for which browsers look once a minute. */
async function published(stage: Stage, anna: Person): Promise<void> {
  const before = (await keysFor(anna)).epochs.at(-1)?.n ?? 0
  await stage.advance(limits.epochDuration)
  await expect
    .poll(
      async () => {
        await stage.advance(60_000)
        return (await keysFor(anna)).epochs.at(-1)?.n
      },
      // Not more often: the clock must not pass the start of what is being sealed.
      { timeout: 40_000, interval: 3_000 },
    )
    .toBeGreaterThan(before)
}

const shownIds = async ({ client }: Person) =>
  (await client.browsers.list()).browsers.map(({ entry }) => entry.browserId)

test('a browser that returns with an older entry stops no publication, and can be removed', async () => {
  await using stage = await createStage()
  const { anna, identity, put } = await createScene(stage)
  const signer = { user: anna.user, identity }
  const first = await put(await entryOf(stage, signer))
  const { browserId } = first
  stage.server.clock.advance(1000)
  await put(await entryOf(stage, signer, { browserId, previous: first }))
  expect(await shownIds(anna)).toContain(browserId)
  // Others push it out of the list, and nothing is sealed to it: its row is forgotten.
  await stage.server.core.db.write(async (tx) => {
    await tx.run('delete from sealed_seeds where browser_id = ?', [browserId])
    await tx.run('delete from browsers where browser_id = ?', [browserId])
  })
  await put(first)
  await published(stage, anna)
  expect((await keysFor(anna)).browsers.browsers.map((entry) => entry.browserId)).toContain(browserId)
  expect(await stage.server.core.db.read.all('select n from sealed_seeds where browser_id = ?', [browserId])).toEqual(
    [],
  )
  expect(await shownIds(anna)).toContain(browserId)
  await anna.client.browsers.remove(browserId)
  expect(await shownIds(anna)).not.toContain(browserId)
  await anna.client.browsers.remove(browserId)
  await expect(anna.client.browsers.remove(newId(0))).rejects.toMatchObject({ code: 'BROWSER_NOT_FOUND' })
})

test('an entry whose public key is no key stops no publication, and can be removed', async () => {
  await using stage = await createStage()
  const { anna, identity, put } = await createScene(stage)
  const { signature: _none, browserSignature: _neither, ...entry } = await entryOf(stage, { user: anna.user, identity })
  const unsigned = { ...entry, kemKey: toBase64url(new Uint8Array(1216).fill(255)) }
  const { browserId } = unsigned
  const signedBy = async ({ sign }: Identity, bytes: Uint8Array<ArrayBuffer>) =>
    toBase64url(new Uint8Array(await crypto.subtle.sign('Ed25519', sign as CryptoKey, bytes)))
  const signature = await signedBy(identity, signedBrowserBytes(identity.publicKey, unsigned, fromBase64url))
  const entryHash = browserEntryHash(identity.publicKey, { ...unsigned, signature })
  const link = signedLinkBytes(unsigned, { ...unsigned, entryHash }, fromBase64url)
  await put({ ...unsigned, signature, browserSignature: await signedBy(await importIdentity(signSeed), link) })
  await published(stage, anna)
  expect(await stage.server.core.db.read.all('select n from sealed_seeds where browser_id = ?', [browserId])).toEqual(
    [],
  )
  await anna.client.browsers.remove(browserId)
  expect(await shownIds(anna)).not.toContain(browserId)
})

/** Removes a browser of Anna. The returned `listAgain` lists it, as a restored backup does. */
async function removeBrowser({ server, signIn }: Stage, anna: Person) {
  const lost = await signIn(anna)
  await browserListed(lost)
  const lostId = await browserIdOf(lost, anna)
  lost.client.close()
  const { db } = server.core
  const row = (await db.read.get<Record<string, string>>('select * from browsers where browser_id = ?', [lostId])) ?? {}
  await anna.client.browsers.remove(lostId)
  const listAgain = () =>
    db.write(async (tx) => {
      const names = Object.keys(row)
      await tx.run('delete from browser_removals where browser_id = ?', [lostId])
      const marks = names.map(() => '?').join()
      await tx.run(`insert into browsers (${names.join()}) values (${marks})`, Object.values(row))
    })
  return { db, lostId, listAgain }
}

test('a removed browser that a restored backup lists is removed again', async () => {
  await using stage = await createStage()
  const { anna } = await createScene(stage)
  const { db, lostId, listAgain } = await removeBrowser(stage, anna)
  await listAgain()
  await published(stage, anna)
  const rows = 'select browser_id from browser_removals where browser_id = ?'
  await expect.poll(() => db.read.all(rows, [lostId])).toEqual([{ browser_id: lostId }])
  expect(await shownIds(anna)).not.toContain(lostId)
})

test('a browser that is not approved leaves the removal to the others, and goes on', async () => {
  await using stage = await createStage()
  const { anna } = await createScene(stage)
  const { lostId, listAgain } = await removeBrowser(stage, anna)
  const elsewhere = await stage.signIn(anna)
  await browserListed(elsewhere)
  anna.client.close()
  await listAgain()
  await elsewhere.client.browsers.openWithRecoveryKey(anna.recoveryKey)
  expect(await shownIds(elsewhere)).toContain(lostId)
  await published(stage, elsewhere)
  expect(await shownIds(elsewhere)).not.toContain(lostId)
})

test('a server that keeps showing a foreign entry makes no browser begin anew for ever', async () => {
  await using stage = await createStage()
  const { anna } = await createScene(stage)
  const first = (await keysFor(anna)).browsers.own
  anna.network.tampers = (request, answer) => {
    if (request !== 'GET /api/keys') return answer
    const keys = answer as OwnKeys
    const own = { ...(first as BrowserEntry), kemKey: keys.browsers.recovery.kemKey, n: 99 }
    return { ...keys, browsers: { ...keys.browsers, own } }
  }
  await expect(anna.client.browsers.setOnlyApproved(true)).rejects.toMatchObject({ code: 'BROWSER_REMOVED' })
})

/** Lists as a server with the password can show them to one browser, which nobody has links for. */
async function createLists() {
  const identity = await importIdentity((await createIdentity()).seed)
  const [device, userId, asked] = [createMemoryDevice(), newId(0), [] as number[]]
  async function loadLinks(_id: string, after: number) {
    asked.push(after)
    return []
  }
  const deps = { device, tabs: createTabs(device, () => {}), loadLinks }
  const make = async (n: number, browserId = newId(0)) => {
    const seeds = { kemSeed: randomBytes(32), signSeed: randomBytes(32) }
    return createBrowserEntry({ identity, userId, browserId, n, seeds, signer: seeds.signSeed, createdAt: 0 })
  }
  const show = (entries: BrowserEntry[]) =>
    acceptBrowsers(deps, { userId, identityKey: identity.publicKey }, { browsers: entries, removed: [] })
  return { asked, make, show }
}

test('a server that lists others without end makes a browser forget none that it knew before', async () => {
  const { make, show } = await createLists()
  const known = await make(5)
  await show([known])
  const replaced = await make(6, known.browserId)
  for (let round = 0; round < 11; round++) {
    const others = await Promise.all(Array.from({ length: limits.browsers }, () => make(2)))
    expect((await show(others)).listed).toEqual(others)
  }
  expect(await show([replaced])).toMatchObject({ listed: [], isAltered: true })
})

test('a browser that is shown stays known, however many are known', async () => {
  const { make, show } = await createLists()
  for (let round = 0; round < 11; round++)
    await show(await Promise.all(Array.from({ length: limits.browsers }, () => make(2))))
  const met = await make(2)
  await show([met])
  expect(await show([await make(3, met.browserId)])).toMatchObject({ listed: [], isAltered: true })
})

test('a browser that was renewed too often is not followed, but can be removed', async () => {
  const { asked, make, show } = await createLists()
  const known = await make(1)
  await show([known])
  const renewed = await make(10_002, known.browserId)
  expect(await show([renewed])).toMatchObject({ listed: [], signed: [renewed] })
  expect(asked).toEqual([])
  await show([await make(10_001, known.browserId)])
  expect(asked).toEqual([1])
})
