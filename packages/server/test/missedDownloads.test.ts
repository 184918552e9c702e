import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createBus } from '../src/core/bus.ts'
import type { Core } from '../src/core/core.ts'
import type { Caller } from '../src/core/guards.ts'
import { endWhatWasMissed } from '../src/features/files/missed.ts'
import { enter, leave } from '../src/features/files/running.ts'
import { createTestServer, type TestServer } from './harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

test('a download that begins while others are looked at is looked at too, when something was missed meanwhile', async () => {
  const { core } = server
  let goOn = () => {}
  const held = new Promise<void>((resolve) => (goOn = resolve))
  const get: Core['db']['read']['get'] = async (sql, params) => {
    await held
    return core.db.read.get(sql, params)
  }
  const bus = createBus()
  endWhatWasMissed({ ...core, bus, db: { ...core.db, read: { ...core.db.read, get } } })
  const caller = { userId: 'u', sessionId: 's' } as Caller
  // Of files that are not there any more.
  const begin = (fileId: string) => Object.assign(enter(caller, fileId), { connectionId: 'gone' })
  const before = begin('first')
  bus.publish('missed', {})
  const meanwhile = begin('second')
  bus.publish('missed', {})
  goOn()
  await vi.waitFor(() => expect([before.ended, meanwhile.ended]).toEqual([true, true]))
  for (const one of [before, meanwhile]) leave(one)
})
