import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { PassThrough } from 'node:stream'
import { socketPath } from '@privity/contract/events'
import { afterEach, expect, test, vi } from 'vitest'
import { createBus } from '../src/core/bus.ts'
import type { Session } from '../src/core/sessions.ts'
import { acceptUpgrades } from '../src/core/socketUpgrade.ts'
import { createTestServer } from './harness.ts'
import { setPolicy } from './harnessPrivacy.ts'
import { createTalk } from './harnessTalk.ts'
import { newAddress, objects } from './harnessUpload.ts'

// Each sign-up costs a password hash, which takes a busy machine its time.
vi.setConfig({ testTimeout: 30_000 })
afterEach(() => vi.restoreAllMocks())

test('a socket whose upgrade is under way when a policy comes is asked by that policy', async () => {
  const bus = createBus()
  const session = { id: 's', userId: 'u', lastUsedAt: 0, idleLimit: 1 } satisfies Session
  const server = new EventEmitter() as Server
  let asked = 0
  let accepted = 0
  acceptUpgrades(server, {
    config: { host: '127.0.0.1' } as never,
    bus,
    sessions: { find: async () => session } as never,
    async isFactorMissing() {
      asked += 1
      if (asked > 1) return true
      // Looked up before the policy, answered after it has ended the sockets there were.
      bus.publish('policyChanged', { organizationId: 'o' })
      return false
    },
    log: { error: (failure: unknown) => expect(failure).toBeUndefined() } as never,
    isClosing: () => false,
    accept: () => void (accepted += 1),
  })
  const stream = new PassThrough()
  const headers = { host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000', upgrade: 'websocket' }
  server.emit('upgrade', { url: socketPath, method: 'GET', headers } as IncomingMessage, stream, Buffer.alloc(0))
  const [answer] = (await once(stream, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 403 /)
  expect([asked, accepted]).toEqual([2, 0])
})

/** A policy that comes right after the guard has asked: it finds no transfer of this member to end. */
async function scene() {
  const server = await createTestServer()
  const talk = await createTalk(server)
  const real = server.core.isFactorMissing
  const requireAfterGuard = () =>
    vi.spyOn(server.core, 'isFactorMissing').mockImplementationOnce(async (userId) => {
      const before = await real(userId)
      await setPolicy(server, { twoFactor: true })
      return before
    })
  return { server, talk, requireAfterGuard }
}

test('an upload whose guard was asked before the policy is refused, and nothing is left of it', async () => {
  const { server, talk, requireAfterGuard } = await scene()
  await using _ = server
  const address = await newAddress(talk.anna)
  requireAfterGuard()
  const put = await talk.anna.fetch(address, { method: 'PUT', body: 'bytes' })
  expect([put.status, await put.json()]).toMatchObject([403, { code: 'SECOND_FACTOR_MISSING' }])
  expect(await objects(server)).toEqual([])
})

test('a download whose guard was asked before the policy is refused, and counts nothing', async () => {
  const { server, talk, requireAfterGuard } = await scene()
  await using _ = server
  const file = await talk.sendFile(talk.anna)
  requireAfterGuard()
  const got = await talk.anna.fetch(file.filePath)
  expect([got.status, await got.json()]).toMatchObject([403, { code: 'SECOND_FACTOR_MISSING' }])
})

test('a session that ends right after the guard transfers nothing', async () => {
  const { server, talk } = await scene()
  await using _ = server
  const address = await newAddress(talk.anna)
  const real = server.core.isFactorMissing
  vi.spyOn(server.core, 'isFactorMissing').mockImplementationOnce(async (userId) => {
    await server.core.db.write((tx) => server.core.sessions.end(tx, userId, 'all'))
    return real(userId)
  })
  const put = await talk.anna.fetch(address, { method: 'PUT', body: 'bytes' })
  expect([put.status, await put.json()]).toMatchObject([401, { code: 'NOT_SIGNED_IN' }])
  expect(await objects(server)).toEqual([])
})
