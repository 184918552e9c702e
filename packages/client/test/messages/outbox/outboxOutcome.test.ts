import type { Message } from '@privity/contract/messages'
import { importAccountKey } from '@privity/e2ee'
import { expect, test } from 'vitest'
import { createTabs } from '../../../src/device/tabs.ts'
import { createMemoryDevice, type OutboxItem } from '../../../src/index.ts'
import type { MessageSender } from '../../../src/messages/encrypt.ts'
import { createOutbox } from '../../../src/messages/outbox/outbox.ts'
import { createOutboxStore } from '../../../src/messages/outbox/outboxStore.ts'
import { CallError } from '../../../src/transport/callError.ts'
import { createStore } from '../../../src/transport/store.ts'
import { createStillClock } from '../../support/stillClock.ts'
import { reaches } from '../../support/stage.ts'

const userId = '0198c0de-0000-7000-8000-00000000000a'
const connectionId = '0198c0de-0000-7000-8000-000000000002'

/** An outbox whose sender answers as the test says, and whose timers never run. `sleep` comes before the mark. */
async function createScene(
  send: (id: string) => Promise<Message>,
  { device = createMemoryDevice(), now = () => Date.UTC(2030, 0, 1), sleep = () => {} } = {},
) {
  const accountKey = await importAccountKey(new Uint8Array(32))
  const store = createOutboxStore(device, { userId, accountKey, changed() {} })
  const items = createStore<readonly OutboxItem[]>([])
  const failures: Promise<(string | undefined)[]>[] = []
  const sender: MessageSender = {
    async send(item, save) {
      sleep()
      await save(item)
      return send(item.id)
    },
    findStored: async () => undefined,
  }
  const outbox = createOutbox({
    userId,
    clock: { ...createStillClock(0), now },
    retention: () => 86_400_000,
    store,
    sender,
    isConnected: () => true,
    tabs: createTabs(device, () => {}),
    items,
    onStored: async () => {},
    onFailed(id) {
      const shown = items.get().find((item) => item.id === id)?.state
      failures.push(store.find(id).then((stored) => [shown, stored?.state]))
    },
  })
  const add = (text: string) => outbox.add(connectionId, { kind: 'text', text })
  return { device, outbox, items, failures, add }
}

test('a message whose failure is reported is shown and stored as failed by then', async () => {
  const { items, failures, add } = await createScene(() => Promise.reject(new CallError('PEER_UNAVAILABLE')))
  await add('Refused')
  await reaches(items, ([item]) => item?.state === 'failed')
  await expect.poll(() => failures.length).toBe(1)
  expect(await failures[0]).toEqual(['failed', 'failed'])
})

test('a message that the socket reported as stored is removed although its response is lost', async () => {
  const { outbox, items, failures, add } = await createScene(async (id) => {
    await outbox.arrived(id)
    throw new CallError('OFFLINE')
  })
  await add('Once')
  await reaches(items, ([item]) => item?.state === 'sending')
  await reaches(items, ([item]) => item?.state !== 'sending')
  expect([items.get(), failures]).toEqual([[], []])
})

test('a waiting message that the socket reports as stored is removed, and not sent again', async () => {
  const sent: string[] = []
  const scene = await createScene(async (id) => {
    sent.push(id)
    throw new CallError('OFFLINE')
  })
  const { id } = await scene.add('Once')
  await reaches(scene.items, ([item]) => item?.state === 'sending')
  await reaches(scene.items, ([item]) => item?.state === 'waiting')
  await scene.outbox.arrived(id)
  expect(scene.items.get()).toEqual([])
  scene.outbox.flush()
  await scene.outbox.reload()
  expect([scene.items.get(), sent]).toEqual([[], [id]])
})

test('a message discarded while it is sent reports no failure', async () => {
  const sent: string[] = []
  const { outbox, items, failures, add } = await createScene(async (id) => {
    sent.push(id)
    if (sent.length > 1) return { id } as Message
    await add('Next')
    await outbox.discard(id)
    throw new CallError('PEER_UNAVAILABLE')
  })
  await add('Never mind')
  await expect.poll(() => sent.length).toBe(2)
  await reaches(items, (all) => all.length === 0)
  expect(failures).toEqual([])
})

test('a message that may have arrived is not sent again after a sleep between check and sending', async () => {
  const before = await createScene(() => Promise.reject(new CallError('OFFLINE')))
  await before.add('Once')
  await reaches(before.items, ([item]) => item?.state === 'sending')
  await reaches(before.items, ([item]) => item?.state === 'waiting')
  await before.outbox.stop()
  let now = Date.UTC(2030, 0, 1)
  const sleep = () => void (now += 25 * 60 * 60 * 1000)
  const sent: string[] = []
  const send = async (id: string) => ({ id: String(sent.push(id)) }) as Message
  const { outbox, items } = await createScene(send, { device: before.device, now: () => now, sleep })
  outbox.flush()
  const [item] = await reaches(items, ([first]) => first?.state === 'failed')
  expect([item?.code, sent]).toEqual(['ARRIVAL_UNKNOWN', []])
})
