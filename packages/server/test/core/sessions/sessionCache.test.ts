import { expect, test } from 'vitest'
import { createSessions } from '../../../src/core/sessions/sessions.ts'
import { createGate } from '../../support/server/gate.ts'
import { createTestServer } from '../../support/server/testServer.ts'

test('a session that ends between the question to the database and its answer is not remembered', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const { db, bus } = server.core
  using gate = createGate()
  let isHeld = false
  const slow: typeof db = {
    ...db,
    read: {
      ...db.read,
      async get(...given) {
        const answer = await db.read.get<never>(...given)
        if (!isHeld) {
          isHeld = true
          await gate.pass()
        }
        return answer
      },
    },
  }
  const sessions = createSessions(slow, bus, server.clock, false)
  const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const asked = sessions.find(cookie)
  await gate.reached
  await db.write((tx) => server.core.sessions.end(tx, member.user.id, 'all'))
  gate.open()
  await asked
  expect(await sessions.find(cookie)).toBeUndefined()
  sessions.close()
})
