import { expect, test } from 'vitest'
import type { NextKey } from '../../src/account/keyStore.ts'
import { createKeyStore } from '../../src/account/keyStore.ts'
import { createKeyShare } from '@privity/e2ee'
import { createMemoryDevice } from '../../src/index.ts'
import { connected, createStage, next, reaches, sentAll, type Stage, type Tab, texts } from '../support/stage.ts'

const statusOf = ({ client }: Tab) => client.account.state.get().status
const becomes = ({ client }: Tab, status: string) => reaches(client.account.state, (state) => state.status === status)

/** A second tab of the same browser. */
async function openTab(stage: Stage, like: Tab): Promise<Tab> {
  const tab = stage.tab(like)
  await tab.client.account.start()
  await connected(tab)
  return tab
}

test('locked in one tab, all tabs of the browser are locked', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const tab = await openTab(stage, anna)
  await anna.client.account.lock()
  expect(anna.client.account.state.get()).toEqual({ status: 'locked', user: anna.user })
  await becomes(tab, 'locked')
})

test('while locked no key is on the device', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const tab = await openTab(stage, anna)
  await anna.client.drafts.set(connectionId, 'Half a sentence')
  await anna.client.account.lock()
  await becomes(tab, 'locked')
  const names = await anna.device.names('')
  const values = await Promise.all(names.map((name) => anna.device.get(name)))
  expect(names).not.toContain('keys')
  expect(values.filter((value) => value instanceof CryptoKey)).toEqual([])
  expect(names.some((name) => name.startsWith('draft/'))).toBe(true)
})

test('while locked nothing opens and nothing arrives', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.account.lock()
  expect(anna.client.live.get()).toBe('disconnected')
  await expect(anna.client.messages.list(connectionId)).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  const heard: unknown[] = []
  anna.client.on('message', (message) => void heard.push(message))
  await ben.client.messages.send(connectionId, 'Are you there?')
  await sentAll(ben)
  expect(heard).toEqual([])
  await anna.client.account.unlock(anna.password)
  expect(await texts(anna, connectionId)).toEqual(['Are you there?'])
})

test('a browser that cannot store the key at unlocking stays locked, and opens nothing', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.account.lock()
  const { set } = anna.device
  const full = () => Promise.reject(new DOMException('The quota has been exceeded.', 'QuotaExceededError'))
  anna.device.set = (name, value) => (name === 'keys' ? full() : set(name, value))
  await expect(anna.client.account.unlock(anna.password)).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
  expect(statusOf(anna)).toBe('locked')
  await expect(anna.client.messages.list(connectionId)).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  expect(anna.client.live.get()).toBe('disconnected')
})

test('a page that is loaded while locked stays locked', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await anna.client.account.lock()
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  expect(reloaded.client.account.state.get()).toEqual({ status: 'locked', user: anna.user })
})

test('the password opens all tabs again', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const tab = await openTab(stage, anna)
  await anna.client.account.lock()
  await becomes(tab, 'locked')
  await tab.client.account.unlock(anna.password)
  expect(statusOf(tab)).toBe('open')
  await becomes(anna, 'open')
})

test('drafts and messages that wait go on after unlocking', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  anna.network.offline = true
  await anna.client.drafts.set(connectionId, 'Half a sentence')
  await anna.client.messages.send(connectionId, 'Waits')
  await anna.client.account.lock()
  expect(anna.client.outbox.get()).toEqual([])
  anna.network.offline = false
  const heard = next(ben, 'message')
  await anna.client.account.unlock(anna.password)
  expect((await heard).body).toMatchObject({ text: 'Waits' })
  expect(await anna.client.drafts.take(connectionId)).toBe('Half a sentence')
})

test('wrong passwords at the lock count as failed sign-ins', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await anna.client.account.lock()
  for (let attempt = 1; attempt <= 5; attempt++)
    await expect(anna.client.account.unlock('a guess')).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
  await expect(anna.client.account.unlock(anna.password)).rejects.toMatchObject({ code: 'ACCOUNT_LOCKED' })
  expect(statusOf(anna)).toBe('locked')
})

test('signing out while locked ends the session and removes drafts and outbox', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.drafts.set(connectionId, 'Half a sentence')
  await anna.client.account.lock()
  await anna.client.account.signOut()
  expect(await anna.device.names('draft/')).toEqual([])
  const again = stage.tab(anna)
  await again.client.account.start()
  expect(statusOf(again)).toBe('signedOut')
})

test('a tab that is just opening when another one locks ends locked', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const tab = stage.tab(anna)
  let isLocked = false
  tab.network.watches = async (request) => {
    if (isLocked || !request.startsWith('GET /api/keys')) return
    isLocked = true
    await anna.client.account.lock()
  }
  await tab.client.account.start()
  expect(isLocked).toBe(true)
  expect(statusOf(tab)).toBe('locked')
  expect(await anna.device.names('keys')).toEqual([])
})

test('an opening that has read the key before the lock ends locked', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const tab = stage.tab({ ...anna, device: anna.device })
  const { get } = anna.device
  let isLocked = false
  anna.device.get = async (name) => {
    const value = await get(name)
    if (name !== 'keys' && !isLocked && tab.network.requests.length > 1) {
      isLocked = true
      await anna.client.account.lock()
    }
    return value
  }
  await tab.client.account.start()
  expect(isLocked).toBe(true)
  expect(statusOf(tab)).toBe('locked')
  expect(await anna.device.names('keys')).toEqual([])
})

test('a change of keys under way while locking brings no key back', async () => {
  const device = createMemoryDevice()
  const keyStore = createKeyStore(device, { now: Date.now, after: () => () => {} })
  const session = { id: crypto.randomUUID(), keyShare: createKeyShare() }
  const raw = crypto.getRandomValues(new Uint8Array(32))
  await keyStore.set({ userId: crypto.randomUUID(), session, raw })
  const nextKey: NextKey = { raw, keyShare: createKeyShare() }
  await Promise.all([keyStore.setNext(nextKey), keyStore.remove()])
  expect(await device.names('keys')).toEqual([])
})

test('traces of the key on a locked disk open with its cookie, until the session ends', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const traces = createMemoryDevice()
  await traces.set('keys', await anna.device.get('keys'))
  await anna.client.account.lock()
  const thief = stage.tab({ ...anna, device: traces })
  await thief.client.account.start()
  expect(statusOf(thief)).toBe('open')
  await anna.client.account.signOut()
  const late = stage.tab({ ...anna, device: traces })
  await late.client.account.start()
  expect(statusOf(late)).toBe('signedOut')
})
