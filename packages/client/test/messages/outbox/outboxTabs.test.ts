import { limits } from '@privity/contract/limits'
import { expect, onTestFinished, test } from 'vitest'
import { CallError } from '../../../src/index.ts'
import { anna, createDialogue } from '../../support/orderModel/dialogue.ts'
import { createPeople } from '../../support/orderModel/people.ts'
import { watchCrypto } from '../../support/sendingModel/time.ts'
import { connected, createStage, reaches, sentAll, type Tab, texts } from '../../support/stage.ts'

const sends = ({ network }: Tab) => network.requests.filter(({ request }) => request === 'POST /api/messages').length

const refused = () => Promise.reject(new DOMException('The quota has been exceeded.', 'QuotaExceededError'))

test('a message that a closed tab has left goes out at once from another that is open', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const tab = stage.tab(anna)
  await tab.client.account.start()
  await connected(tab)
  anna.network.offline = true
  await anna.client.messages.send(connectionId, 'Left behind')
  anna.client.close()
  await reaches(tab.client.outbox, (items) => items.length === 1)
  await sentAll(tab)
  expect(await texts(ben, connectionId)).toEqual(['Left behind'])
})

test('a text that is kept although the device reports a failure counts as kept, and is sent once', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const { set } = anna.device
  anna.device.set = async (name, value) => {
    await set(name, value)
    if (!name.startsWith('outbox/')) return
    anna.device.set = set
    await refused()
  }
  await anna.client.messages.send(connectionId, 'Once')
  await sentAll(anna)
  expect(await texts(ben, connectionId)).toEqual(['Once'])
  expect(sends(anna)).toBe(1)
})

test('a text of which the person is told that it is not kept is not sent later', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const { set, get } = anna.device
  anna.device.set = async (name, value) => {
    await set(name, value)
    if (name.startsWith('outbox/')) await refused()
  }
  anna.device.get = (name) => (name.startsWith('outbox/') ? refused() : get(name))
  await expect(anna.client.messages.send(connectionId, 'Not this one')).rejects.toMatchObject({
    code: 'STORAGE_FAILED',
  })
  Object.assign(anna.device, { set, get })
  anna.client.close()
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  await reloaded.client.messages.send(connectionId, 'But this')
  await sentAll(reloaded)
  expect(await texts(ben, connectionId)).toEqual(['But this'])
})

test('a tab that dies just after Enter has its text in the outbox, and not in the draft as well', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.drafts.set(connectionId, 'See you')
  const written = Promise.withResolvers<void>()
  const { change } = anna.device
  anna.device.change = async (values) => {
    await change(values)
    written.resolve()
    // The page is gone before it hears of it.
    await new Promise(() => {})
  }
  void anna.client.messages.send(connectionId, 'See you', '')
  await written.promise
  anna.client.close()
  anna.device.change = change
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  await sentAll(reloaded)
  expect(await texts(ben, connectionId)).toEqual(['See you'])
  expect(await reloaded.client.drafts.take(connectionId)).toBe('')
})

test('a text that could not be put into the outbox is still in the draft', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.drafts.set(connectionId, 'See you')
  const { change } = anna.device
  anna.device.change = refused
  await expect(anna.client.messages.send(connectionId, 'See you', '')).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
  anna.device.change = change
  expect(await anna.client.drafts.take(connectionId)).toBe('See you')
  expect(await anna.device.names('outbox/')).toEqual([])
})

test('each tab has a draft of its own, which another takes over once that tab is gone', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const other = stage.tab(anna)
  await other.client.account.start()
  await anna.client.drafts.set(connectionId, 'In the first')
  await other.client.drafts.set(connectionId, 'In the second')
  expect(await anna.client.drafts.take(connectionId)).toBe('In the first')
  expect(await other.client.drafts.take(connectionId)).toBe('In the second')
  expect(await anna.client.drafts.get(connectionId)).toContain('In the second')
  other.client.close()
  expect(await anna.client.drafts.take(connectionId)).toBe('In the first')
  await anna.client.drafts.set(connectionId, '')
  expect(await anna.client.drafts.take(connectionId)).toBe('In the second')
  expect(await anna.device.names('draft/')).toHaveLength(1)
})

test('what waits is not dropped where the store of the device is emptied under an open tab', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  anna.network.offline = true
  await anna.client.messages.send(connectionId, 'Still here')
  await reaches(anna.client.outbox, ([item]) => item?.state === 'waiting')
  for (const name of await anna.device.names('')) await anna.device.remove(name)
  await anna.client.messages.send(connectionId, 'After it')
  await stage.advance(5_000)
  await expect.poll(() => anna.device.names('outbox/')).toHaveLength(2)
  anna.network.offline = false
  await stage.advance(60_000)
  await sentAll(anna)
  expect(await texts(ben, connectionId)).toEqual(['Still here', 'After it'])
})

test('a tab whose store was emptied does not bring back what another tab has sent since', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const other = stage.tab(anna)
  await other.client.account.start()
  await anna.client.trust.pause(connectionId)
  const { id } = await anna.client.messages.send(connectionId, 'Once')
  for (const { client } of [anna, other]) await reaches(client.outbox, ([item]) => item?.state === 'failed')
  await anna.client.trust.resume(connectionId)
  for (const name of await anna.device.names('')) await anna.device.remove(name)
  await anna.client.messages.retry(id)
  await sentAll(anna)
  await other.client.messages.send(connectionId, 'Next')
  await sentAll(other)
  expect(await texts(ben, connectionId)).toEqual(['Once', 'Next'])
})

test('tabs that know different lifetimes try again no faster than one tab', async () => {
  onTestFinished(watchCrypto())
  const { openTab, send, server } = await createDialogue(await createPeople())
  const [one, other] = [await openTab(anna), await openTab(anna)]
  for (const tab of [one, other]) await send(tab, 'Before')
  server.state.lifetime = limits.lifetimes[0]
  one.hearLifetime()
  let attempts = 0
  server.send = () => {
    attempts += 1
    throw new CallError(attempts < 100 ? 'OFFLINE' : 'PEER_UNAVAILABLE')
  }
  for (const text of ['One', 'Two']) void one.send(text)
  await send(one, 'Three')
  expect(attempts).toBeLessThan(20)
})
