import { afterEach, expect, test, vi } from 'vitest'
import { browserIdOf, browserListed, keysFor } from '../../support/browsers.ts'
import {
  collect,
  createStage,
  next,
  type Person,
  reconnected,
  sentAll,
  type Stage,
  type Tab,
  texts,
} from '../../support/stage.ts'
import { createTabs } from '../../../src/device/tabs.ts'
import { accept, newPassword } from '../../support/keyRotation.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const change = 'PUT /api/account/password'

const prepare = ({ client, password }: Person) =>
  client.ownAccount.prepareNewKeys({ currentPassword: password, newPassword })

/** Long enough for another tab to go on as far as it can: the server answers fifty other requests. */
async function meanwhile(stage: Stage): Promise<void> {
  for (let at = 0; at < 50; at++) await (await fetch(`${stage.server.url}/api/health`)).text()
}

const notices = (...tabs: Tab[]) => tabs.flatMap((tab) => [collect(tab, 'alarm'), collect(tab, 'signed_out')])

/** Both tabs are open with the new keys, and so is one that starts now. */
async function expectAllOpen(stage: Stage, tabs: [Person, Tab], ben: Person, connectionId: string): Promise<void> {
  const third = stage.tab(tabs[0])
  const alarms = collect(third, 'alarm')
  await third.client.account.start()
  for (const { client } of [...tabs, third]) expect(client.account.state.get().status).toBe('open')
  await Promise.all(tabs.map((tab) => reconnected(stage, tab)))
  await accept(ben, connectionId)
  for (const tab of tabs) {
    const heard = next(ben, 'message')
    await tab.client.messages.send(connectionId, 'From this tab')
    await heard
    await sentAll(tab)
  }
  expect(await texts(third, connectionId)).toEqual(['From this tab', 'From this tab'])
  expect(alarms).toEqual([])
  expect(await third.device.get('keys')).not.toHaveProperty('next')
}

test.each(['GET /api/user', 'GET /api/keys', 'GET /api/config'])(
  'a tab that still waits for %s when another one replaces all keys leaves both open',
  async (held) => {
    await using stage = await createStage()
    const { anna, ben, connectionId } = await stage.pair()
    const tab = stage.tab(anna)
    const told = notices(anna, tab)
    const { activate } = await prepare(anna)
    const [asked, goOn, changed, opened] = [0, 1, 2, 3].map(() => Promise.withResolvers<void>())
    tab.network.watches = (request) => {
      if (request !== held) return undefined
      asked?.resolve()
      return goOn?.promise
    }
    anna.network.watches = (request) => {
      if (request !== change) return undefined
      changed?.resolve()
      return opened?.promise
    }
    const starting = tab.client.account.start()
    await asked?.promise
    const activating = activate()
    await Promise.race([changed?.promise, meanwhile(stage)])
    goOn?.resolve()
    await Promise.race([starting, changed?.promise.then(() => meanwhile(stage))])
    opened?.resolve()
    await Promise.all([starting, activating])
    await expectAllOpen(stage, [anna, tab], ben, connectionId)
    expect(told).toEqual([[], [], [], []])
  },
)

test('a tab that starts between the new keys and their cookie leaves both tabs open', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const tab = stage.tab(anna)
  const told = notices(anna, tab)
  const { activate } = await prepare(anna)
  const [changed, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const real = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const answer = await real(input, init)
    if (input !== `${stage.server.url}/api/account/password`) return answer
    changed.resolve()
    await goOn.promise
    return answer
  })
  const activating = activate()
  await changed.promise
  const starting = tab.client.account.start()
  await Promise.race([starting, meanwhile(stage)])
  goOn.resolve()
  await Promise.all([starting, activating])
  await expectAllOpen(stage, [anna, tab], ben, connectionId)
  expect(told).toEqual([[], [], [], []])
})

test('a text sent while a tab opens the new keys waits for them, and so does a draft', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await browserListed(anna)
  const tab = stage.tab(anna)
  await tab.client.account.start()
  const { activate } = await prepare(anna)
  const sending = Promise.withResolvers<unknown>()
  let isOpening = false
  tab.network.watches = (request) => {
    isOpening ||= request === 'GET /api/keys'
    // The former session has stopped by then, and the next one is not open yet.
    if (!isOpening || request !== 'GET /api/config') return
    tab.network.watches = undefined
    const { messages, drafts } = tab.client
    sending.resolve(Promise.all([messages.send(connectionId, 'In between'), drafts.set(connectionId, 'Half')]))
  }
  await activate()
  await sending.promise
  await reconnected(stage, tab)
  await accept(ben, connectionId)
  await expect.poll(() => texts(ben, connectionId)).toEqual(['In between'])
  expect(await tab.client.drafts.get(connectionId)).toBe('Half')
})

test('a tab that the system froze while it was opening holds a replacement up for a minute', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const { activate } = await prepare(anna)
  const frozen = createTabs(anna.device, () => {})
  void frozen.runShared('privity-keys', () => new Promise(() => {}))
  const activating = activate()
  await Promise.race([activating, meanwhile(stage)])
  expect((await ben.client.trust.state(connectionId)).state).toBe('unverified')
  await stage.advance(60_000)
  await activating
  expect((await ben.client.trust.state(connectionId)).state).toBe('changed')
})

test('of two tabs replacing all keys at once, one is told it is too late, and both stay open', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const tab = stage.tab(anna)
  await tab.client.account.start()
  const told = notices(anna, tab)
  const [one, other] = [await prepare(anna), await prepare({ ...anna, ...tab })]
  const activated = await Promise.allSettled([one.activate(), other.activate()])
  expect(activated).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'STALE_VERSION' } }])
  await expectAllOpen(stage, [anna, tab], ben, connectionId)
  expect(told).toEqual([[], [], [], []])
})

test('a tab that still has the former keys leaves the browser its id and its approval', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await browserListed(anna)
  await anna.client.browsers.setOnlyApproved(true)
  const id = await browserIdOf(anna, anna)
  const tab = { ...anna, ...stage.tab(anna) }
  await tab.client.account.start()
  const told = notices(anna, tab)
  const { activate } = await prepare(anna)
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // As after the system has frozen this tab: it visits the list of browsers before it has opened the new keys.
  tab.network.watches = (request) => {
    if (request.startsWith('GET /api/keys')) asked.resolve()
    return request === 'GET /api/user' ? goOn.promise : undefined
  }
  await activate()
  const visiting = tab.client.browsers.setOnlyApproved(true).catch(() => {})
  await asked.promise
  goOn.resolve()
  await visiting
  await browserListed(anna)
  expect(await browserIdOf(anna, anna)).toBe(id)
  expect((await keysFor(anna)).browsers).toMatchObject({ isApproved: true })
  expect(told).toEqual([[], [], [], []])
})
