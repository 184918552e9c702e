import { limits } from '@privity/contract/limits'
import { expect, test } from 'vitest'
import type { Db } from '../../../src/core/database/types.ts'
import { createSessions } from '../../../src/core/sessions/sessions.ts'
import { createGate } from '../../support/server/gate.ts'
import { createTestServer, type Member } from '../../support/server/testServer.ts'

/** A database whose answers wait for the gate while `isHeld` returns true. */
const withSlowReads = (db: Db, gate: ReturnType<typeof createGate>, isHeld: () => boolean): Db => ({
  ...db,
  read: {
    ...db.read,
    async get(...given) {
      const answer = await db.read.get<never>(...given)
      if (isHeld()) await gate.pass()
      return answer
    },
  },
})

const cookieOf = ({ cookies }: Member) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

test('a session that ends between the question to the database and its answer is not remembered', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const { db, bus } = server.core
  using gate = createGate()
  const sessions = createSessions(
    withSlowReads(db, gate, () => true),
    bus,
    server.clock,
    false,
  )
  const asked = sessions.find(cookieOf(member))
  await gate.reached
  await db.write((tx) => server.core.sessions.end(tx, member.user.id, 'all'))
  gate.open()
  await asked
  expect(await sessions.find(cookieOf(member))).toBeUndefined()
  sessions.close()
})

test('a session whose use is saved between the question to the database and its answer goes on', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const { db, bus } = server.core
  using gate = createGate()
  let isHeld = false
  const sessions = createSessions(
    withSlowReads(db, gate, () => isHeld),
    bus,
    server.clock,
    false,
  )
  await sessions.find(cookieOf(member))
  server.clock.ahead = limits.sessionIdle - 1
  await sessions.find(cookieOf(member))
  server.clock.ahead += 1
  bus.publishHere('eventsLost', {})
  isHeld = true
  const asked = sessions.find(cookieOf(member))
  await gate.reached
  await sessions.saveUse()
  gate.open()
  expect(await asked).toBeDefined()
  sessions.close()
})
