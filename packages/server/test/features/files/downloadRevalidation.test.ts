import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBus } from '../../../src/core/cluster/bus.ts'
import type { Core } from '../../../src/core/core.ts'
import type { Caller } from '../../../src/core/http/guards.ts'
import {
  revalidateDownloads,
  registerDownload,
  unregisterDownload,
  type ActiveDownload,
} from '../../../src/features/files/activeTransfers.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { approve, createTalk } from '../../support/scenes/conversation.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

test('a download whose approval was taken back unheard ends, and one that is approved goes on', async () => {
  const { anna, ben, connection, sendFile } = await createTalk(server)
  const row = await server.core.db.read.get<{ id: string }>('select id from sessions where user_id = ?', [ben.user.id])
  const begun: ActiveDownload[] = []
  for (const file of [await sendFile(anna), await sendFile(anna)]) {
    await approve(anna, ben, file.filePath)
    const caller: Caller = {
      userId: ben.user.id,
      sessionId: row?.id ?? '',
      tokenHash: '',
      address: ben.address,
      sharedComputer: false,
    }
    begun.push(Object.assign(registerDownload(caller, file.filePath.slice(-36)), { connectionId: connection.id }))
  }
  // They are revalidated in this order.
  const [other, ending] = begun
  const sql = "update file_authorizations set status = 'denied' where file_id = ?"
  await server.core.db.write((tx) => tx.run(sql, [ending?.fileId ?? '']))
  server.core.bus.publish('eventsLost', {})
  await expect.poll(() => ending?.isAborted).toBe(true)
  expect(other?.isAborted).toBe(false)
  for (const one of begun) unregisterDownload(one)
})

test('a download that begins during a revalidation is revalidated after a further loss', async () => {
  const { core } = server
  let goOn = () => {}
  const held = new Promise<void>((resolve) => (goOn = resolve))
  const get: Core['db']['read']['get'] = async (sql, params) => {
    await held
    return core.db.read.get(sql, params)
  }
  const bus = createBus()
  revalidateDownloads({ ...core, bus, db: { ...core.db, read: { ...core.db.read, get } } })
  const caller = { userId: 'u', sessionId: 's' } as Caller
  // Downloads of files that no longer exist.
  const begin = (fileId: string) => Object.assign(registerDownload(caller, fileId), { connectionId: 'gone' })
  const before = begin('first')
  bus.publish('eventsLost', {})
  const meanwhile = begin('second')
  bus.publish('eventsLost', {})
  goOn()
  await expect.poll(() => [before.isAborted, meanwhile.isAborted]).toEqual([true, true])
  for (const one of [before, meanwhile]) unregisterDownload(one)
})
