import { limits } from '@privity/contract/limits'
import { expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { createTalk } from '../../support/scenes/conversation.ts'

const day = 24 * 60 * 60 * 1000

const count = async (server: TestServer, table: string) =>
  (await server.core.db.read.get<{ n: number }>(`select count(*) as n from ${table}`))?.n

/** A message and a file sent while the clock was 60 days ahead; the clock is right since a minute ago. */
async function sendAhead(server: TestServer): Promise<void> {
  server.clock.ahead = 60 * day
  const talk = await createTalk(server)
  await talk.send(talk.anna)
  await talk.sendFile(talk.anna)
  server.clock.ahead = 0
  await server.advance(60_000)
}

test.each(['messages', 'envelopes', 'files'])('%s dated by a clock that was ahead live for 24 hours', async (table) => {
  await using server = await createTestServer()
  await sendAhead(server)
  await server.advance(limits.retention - 2 * 60_000)
  expect(await count(server, table)).toBeGreaterThan(0)
  await server.advance(2 * 60_000)
  expect(await count(server, table)).toBe(0)
})

test('seeds dated by a clock that was ahead are destroyed a day later, though nobody is there', async () => {
  await using server = await createTestServer()
  await sendAhead(server)
  expect(await count(server, 'epochs where wrapped_seed is not null')).toBeGreaterThan(0)
  await server.advance(limits.retention + 60_000)
  expect(await count(server, 'epochs where wrapped_seed is not null')).toBe(0)
})
