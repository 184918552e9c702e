import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGroupCommit } from '../../../../src/core/database/groupCommit.ts'
import { createPostgresReader } from '../../../../src/core/database/postgres/reader.ts'
import { createPostgresWriter } from '../../../../src/core/database/postgres/writer.ts'

let server: Server
let url: string
const sockets: Socket[] = []

beforeEach(async () => {
  sockets.length = 0
  server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `postgresql://me@127.0.0.1:${(server.address() as AddressInfo).port}/privity`
})
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

test('a database that answers nothing is waited for once, by all that wait', { timeout: 20_000 }, async () => {
  const writer = createPostgresWriter(url, { onError() {} })
  const commits = createGroupCommit(writer, { onError() {} })
  const reader = createPostgresReader(url, 1, () => {})
  // More than one transaction takes.
  const writes = Array.from({ length: 450 }, () => commits.write((tx) => tx.run('select 1')))
  const results = await Promise.allSettled([reader.get('select 1'), ...writes])
  for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } })
  expect(sockets).toHaveLength(2)
  await Promise.all([commits.finish(), reader.close()])
})
