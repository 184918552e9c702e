import { expect, test } from 'vitest'
import type { Core } from '../../../src/core/core.ts'
import type { ReceivedFrame } from '../../../src/core/websocket/types.ts'
import { storeDeliveryReceipts } from '../../../src/features/messages/deliveryReceipts.ts'
import { createTestServer } from '../../support/server/testServer.ts'
import { createTalk } from '../../support/scenes/conversation.ts'

type Write = Core['db']['write']

/** The acknowledgement feature alone; its writes go through `wrap`. */
function listen(core: Core, wrap: (write: Write) => Write) {
  const hearers: ((userId: string, frame: ReceivedFrame) => void)[] = []
  storeDeliveryReceipts({
    ...core,
    db: { ...core.db, write: wrap(core.db.write) },
    sockets: { ...core.sockets, onReceived: (hearer) => void hearers.push(hearer) },
  })
  return (userId: string, connectionId: string, seq: number) => {
    for (const hear of hearers) hear(userId, { type: 'received', connectionId, seq })
  }
}

async function deliveredTo({ db }: Core, connectionId: string, userId: string): Promise<number | undefined> {
  const sql = `select case when user_id_1 = ? then delivered_seq_1 else delivered_seq_2 end as seq
    from connections where id = ?`
  return (await db.read.get<{ seq: number }>(sql, [userId, connectionId]))?.seq
}

test('receipts for foreign connections or without news cost no write, however many', async () => {
  await using server = await createTestServer()
  const { anna, ben, connection, send } = await createTalk(server)
  const others = await createTalk(server)
  await send(anna)
  await others.send(others.anna)
  let writes = 0
  const hear = listen(server.core, (write) => (work, isolation) => {
    writes += 1
    return write(work, isolation)
  })
  for (let i = 0; i < 200; i++) hear(ben.user.id, crypto.randomUUID(), 1)
  hear(ben.user.id, others.connection.id, 1)
  await server.advance(100)
  hear(ben.user.id, connection.id, 1)
  for (let i = 0; i < 200; i++) hear(anna.user.id, crypto.randomUUID(), 1)
  await server.advance(100)
  await expect.poll(() => deliveredTo(server.core, connection.id, ben.user.id)).toBe(1)
  hear(ben.user.id, connection.id, 1)
  await server.advance(100)
  await others.send(others.anna)
  hear(others.ben.user.id, others.connection.id, 2)
  await server.advance(100)
  await expect.poll(() => deliveredTo(server.core, others.connection.id, others.ben.user.id)).toBe(2)
  expect(writes).toBe(2)
})

test('while one write takes long, all that comes is gathered for the next', async () => {
  await using server = await createTestServer()
  const { anna, ben, connection, send } = await createTalk(server)
  for (let i = 0; i < 3; i++) await send(anna)
  const begun: (() => void)[] = []
  const hear = listen(server.core, (write) => async (work, isolation) => {
    await new Promise<void>((resolve) => void begun.push(resolve))
    return write(work, isolation)
  })
  const acknowledge = async (seq: number) => {
    hear(ben.user.id, connection.id, seq)
    await server.advance(100)
  }
  await acknowledge(1)
  await expect.poll(() => begun.length).toBe(1)
  await acknowledge(2)
  await acknowledge(3)
  await anna.request('GET', '/api/user')
  expect(begun).toHaveLength(1)
  begun[0]?.()
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.()
  await expect.poll(() => deliveredTo(server.core, connection.id, ben.user.id)).toBe(3)
  expect(begun).toHaveLength(2)
})
