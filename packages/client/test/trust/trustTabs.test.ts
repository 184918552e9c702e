import { expect, test } from 'vitest'
import { readLastSeen } from '../../src/keys/rollback.ts'
import {
  collect,
  connected,
  createStage,
  next,
  type Person,
  type Stage,
  type Tab,
  texts,
  textOf,
} from '../support/stage.ts'
import { accept, markVerified, replaceKeys } from '../support/keyRotation.ts'

/** Keeps the next answer to this request from a tab until it is let go on. */
function hold({ network }: Tab, held: string) {
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  network.watches = (request) => {
    if (request !== held) return undefined
    asked.resolve()
    return goOn.promise
  }
  return { asked: asked.promise, goOn: goOn.resolve }
}

async function open(stage: Stage, like: Tab): Promise<Tab> {
  const tab = stage.tab(like)
  await tab.client.account.start()
  await connected(tab)
  return tab
}

const pinsVersion = async ({ device, user }: Person) => (await readLastSeen(device, user.id))?.pins?.version

test('a tab opened while another accepts a key raises no alarm, and sends to new contacts', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  const carl = await stage.signUp('carl')
  await connected(carl)
  const { id: unmet } = await stage.connect(carl, anna)
  const tab = stage.tab(anna)
  const alarms = collect(tab, 'alarm')
  const { asked, goOn } = hold(tab, 'GET /api/keys')
  const starting = tab.client.account.start()
  await asked
  await markVerified(anna, connectionId)
  goOn()
  await starting
  expect(alarms).toEqual([])
  const heard = next(carl, 'message')
  await tab.client.messages.send(unmet, 'Hello Carl')
  expect(textOf(await heard)).toBe('Hello Carl')
})

test('a list of accepted keys that another tab has kept since is not replaced by an older one', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  const [tab, elsewhere] = [await open(stage, anna), await stage.signIn(anna)]
  const { asked, goOn } = hold(tab, 'GET /api/keys/pins')
  const told = next(anna, 'trust_changed')
  await markVerified(elsewhere, connectionId)
  await Promise.all([asked, told])
  tab.network.swallows = true
  await anna.client.trust.pause(connectionId)
  const newest = await pinsVersion(anna)
  const taken = next(tab, 'trust_changed')
  goOn()
  await taken
  expect(await pinsVersion(anna)).toBe(newest)
})

/** A tab that has seen Ben's new key, which Anna accepts elsewhere before the tab has the list with it. */
async function beforeAccepted(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  const tab = await open(stage, anna)
  await tab.client.trust.state(connectionId)
  await replaceKeys(ben)
  expect((await tab.client.trust.state(connectionId)).state).toBe('changed')
  const pins = hold(tab, 'GET /api/keys/pins')
  await accept(anna, connectionId)
  await pins.asked
  return { anna, ben, connectionId, tab, pins }
}

test('a message that fails to open is shown once its key arrives from another tab', async () => {
  await using stage = await createStage()
  const { ben, connectionId, tab, pins } = await beforeAccepted(stage)
  const pinsHeld = tab.network.watches
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  tab.network.watches = (request, answer) => {
    if (request !== `GET /api/connections/${connectionId}/keys`) return pinsHeld?.(request, answer)
    asked.resolve()
    return goOn.promise
  }
  const heard = next(tab, 'message')
  await ben.client.messages.send(connectionId, 'Under the new key')
  // It has failed with the keys that were accepted before.
  await asked.promise
  const taken = next(tab, 'trust_changed')
  pins.goOn()
  await taken
  goOn.resolve()
  expect(textOf(await heard)).toBe('Under the new key')
  expect(await texts(tab, connectionId)).toEqual(['Under the new key'])
})

test('a message is decrypted again once its key arrives from another tab', async () => {
  await using stage = await createStage()
  const { ben, connectionId, tab, pins } = await beforeAccepted(stage)
  const heard = next(tab, 'message')
  await ben.client.messages.send(connectionId, 'Under the new key')
  expect((await heard).body.kind).toBe('unreadable')
  const resync = next(tab, 'resync')
  pins.goOn()
  await resync
  expect(await texts(tab, connectionId)).toEqual(['Under the new key'])
})
