import { expect, test, vi } from 'vitest'
import { keys } from '@privity/contract/keys'
import { draftPrefix } from '../../../src/device/storageNames.ts'
import { collect, connected, createStage, next, reconnected, sentAll, texts, textOf } from '../../support/stage.ts'
import { accept, markVerified, newPassword, replaceKeys } from '../../support/keyRotation.ts'

const change = 'PUT /api/account/password'

test('another tab continues with the new keys, with no alarm and nothing waiting lost', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const tab = stage.tab(anna)
  await tab.client.account.start()
  await connected(tab)
  const told = [collect(tab, 'alarm'), collect(tab, 'signed_out'), collect(anna, 'alarm'), collect(anna, 'signed_out')]
  await tab.client.drafts.set(connectionId, 'Half a sentence')
  await replaceKeys(anna)
  await Promise.all([reconnected(stage, anna), reconnected(stage, tab)])
  await accept(ben, connectionId)
  for (const from of [tab, anna]) {
    const heard = next(ben, 'message')
    await from.client.messages.send(connectionId, 'From this tab')
    await heard
  }
  await Promise.all([sentAll(anna), sentAll(tab)])
  expect(await tab.client.drafts.get(connectionId)).toBe('Half a sentence')
  expect(await texts(tab, connectionId)).toEqual(['From this tab', 'From this tab'])
  expect(told).toEqual([[], [], [], []])
})

test('a page closed after the server’s response and before storing opens with the new keys', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const heard = next(anna, 'message')
  await ben.client.messages.send(connectionId, 'Before')
  await heard
  const { activate } = await anna.client.ownAccount.prepareNewKeys({ currentPassword: anna.password, newPassword })
  // The cookie of the answer is in the jar; the page never sees the answer.
  const closed = new Promise<void>((resolve) => {
    anna.network.watches = (request) => {
      if (request !== change) return undefined
      anna.client.close()
      resolve()
      return new Promise(() => {})
    }
  })
  void activate().catch(() => {})
  await closed
  const reopened = stage.tab(anna)
  const alarms = collect(reopened, 'alarm')
  await reopened.client.account.start()
  expect(reopened.client.account.state.get().status).toBe('open')
  expect(await texts(reopened, connectionId)).toEqual(['Before'])
  expect(alarms).toEqual([])
  // From now on without the one that was expected.
  expect(await reopened.device.get('keys')).not.toHaveProperty('next')
})

test('a device that refuses after the server has the new keys does not make their change fail', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const heard = next(anna, 'message')
  await ben.client.messages.send(connectionId, 'Before')
  await heard
  const { set } = anna.device
  anna.network.watches = (request) => {
    if (request === change) anna.device.set = () => Promise.reject(new Error('refused'))
    return undefined
  }
  const ended = next(anna, 'signed_out')
  await replaceKeys(anna)
  expect(await ended).toEqual({ reason: 'ended', because: 'keys_not_opened' })
  expect(anna.client.account.state.get().status).toBe('signedOut')
  anna.device.set = set
  await anna.client.account.start()
  expect(anna.client.account.state.get().status).toBe('open')
  expect(await texts(anna, connectionId)).toEqual(['Before'])
})

test('an answer that is lost after its cookie came is made good by itself', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  // Otherwise the answer that is lost may be the refusal of keys that follow an epoch too few.
  await expect.poll(async () => (await anna.client.call(keys.getOwn, { query: {} })).epochs.length).toBe(21)
  anna.network.loses = (request) => request === change
  await replaceKeys(anna)
  await accept(ben, connectionId)
  const heard = next(ben, 'message')
  await anna.client.messages.send(connectionId, 'Still here')
  expect(textOf(await heard)).toBe('Still here')
})

test('a rotation response lost with its cookie ends the session; the new password opens all', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const { activate, recoveryKey } = await anna.client.ownAccount.prepareNewKeys({
    currentPassword: anna.password,
    newPassword,
  })
  anna.network.deaf = true
  await anna.client.messages.send(connectionId, 'Sent before')
  await sentAll(anna)
  await anna.client.drafts.set(connectionId, 'A draft')
  const real = globalThis.fetch
  const lossy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const answer = await real(input, init)
    if (init?.method === 'PUT') throw new TypeError('fetch failed')
    return answer
  })
  const ended = next(anna, 'signed_out')
  await expect(activate()).rejects.toMatchObject({ code: 'OFFLINE' })
  lossy.mockRestore()
  expect(await ended).toEqual({ reason: 'ended' })
  const { username } = anna
  await expect(stage.signIn(anna)).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' })
  await anna.client.account.signIn({ username, password: newPassword })
  expect(await texts(anna, connectionId)).toEqual(['Sent before'])
  expect(await anna.client.drafts.get(connectionId)).toBe('A draft')
  // The recovery key was shown before: it is the one that works.
  const { client } = stage.tab()
  await client.account.resetPassword({ username, recoveryKey, newPassword: 'yet another password' })
  expect((await ben.client.trust.state(connectionId)).state).toBe('changed')
})

test('a request that never reached the server leaves everything as it was, and may be made again', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const { activate } = await anna.client.ownAccount.prepareNewKeys({ currentPassword: anna.password, newPassword })
  anna.network.offline = true
  await expect(activate()).rejects.toMatchObject({ code: 'OFFLINE' })
  anna.network.offline = false
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  expect(reloaded.client.account.state.get().status).toBe('open')
  expect((await ben.client.trust.state(connectionId)).state).toBe('unverified')
  await activate()
  expect((await ben.client.trust.state(connectionId)).state).toBe('changed')
  await stage.signIn({ ...anna, password: newPassword })
})

test('epochs and pins that change at the same moment are taken along', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const other = await stage.signIn(anna)
  const carla = await stage.signUp('carla')
  const { id: second } = await stage.connect(carla, anna)
  const { activate } = await anna.client.ownAccount.prepareNewKeys({ currentPassword: anna.password, newPassword })
  let racing: Promise<void> | undefined
  anna.network.watches = async (request) => {
    if (request === 'GET /api/keys') await (racing ??= markVerified(other, second))
  }
  await activate()
  const attempts = anna.network.requests.filter(({ request }) => request === change)
  expect(attempts).toHaveLength(2)
  expect((await anna.client.trust.states()).get(second)).toBe('unverified')
  expect((await anna.client.trust.states()).get(connectionId)).toBe('unverified')
  expect((await anna.client.call(keys.getOwn, { query: {} })).epochs[0]?.n).toBe(1)
})

test('an outbox that two tabs share loses nothing while the keys are replaced', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const tab = stage.tab(anna)
  await tab.client.account.start()
  await connected(tab)
  // The messages wait longer than the rotation takes, because neither tab can reach the contact.
  const written = Array.from({ length: 6 }, (_, at) => `Text ${at}`)
  const replacing = replaceKeys(anna)
  for (const [at, text] of written.entries()) await (at % 2 === 0 ? anna : tab).client.messages.send(connectionId, text)
  await replacing
  await Promise.all([reconnected(stage, anna), reconnected(stage, tab)])
  await accept(ben, connectionId)
  await expect.poll(async () => (await texts(anna, connectionId)).toSorted()).toEqual(written)
  await Promise.all([sentAll(anna), sentAll(tab)])
})

test('what is sent while this device is sealed under the new keys arrives', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  let isReplaced = false
  anna.network.watches = (request) => void (isReplaced ||= request === change)
  const sending: Promise<unknown>[] = []
  const { names } = anna.device
  anna.device.names = async (prefix) => {
    const found = await names(prefix)
    // The outbox comes before the drafts, and is done.
    if (isReplaced && prefix === draftPrefix(anna.user.id) && sending.length === 0)
      sending.push(anna.client.messages.send(connectionId, 'In between'))
    return found
  }
  await replaceKeys(anna)
  await Promise.all(sending)
  await reconnected(stage, anna)
  await accept(ben, connectionId)
  await sentAll(anna)
  expect(await texts(ben, connectionId)).toEqual(['In between'])
})
