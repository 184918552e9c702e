import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { PassThrough } from 'node:stream'
import { socketPath } from '@privity/contract/events'
import { afterEach, expect, test, vi } from 'vitest'
import { createBus } from '../../../src/core/cluster/bus.ts'
import type { Session } from '../../../src/core/sessions/sessions.ts'
import { acceptUpgrades } from '../../../src/core/http/upgrade.ts'
import { createTestServer } from '../../support/server/testServer.ts'
import { setPolicy } from '../../support/scenes/preferences.ts'
import { createTalk } from '../../support/scenes/conversation.ts'
import { newAddress, objects } from '../../support/scenes/uploads.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })
afterEach(() => vi.restoreAllMocks())

test('a socket whose upgrade is under way when a policy comes is asked by that policy', async () => {
  const bus = createBus()
  const session = {
    id: 's',
    userId: 'u',
    lastUsedAt: 0,
    idleLimit: 1,
    endsAt: Infinity,
    tokenHash: '',
    isFormer: false,
    sharedComputer: false,
  } satisfies Session
  const server = new EventEmitter() as Server
  let asked = 0
  let accepted = 0
  acceptUpgrades(server, {
    config: { host: '127.0.0.1', trustProxy: false } as never,
    bus,
    rates: { take: () => () => {}, check: () => {} },
    sessions: { find: async () => session } as never,
    async isFactorMissing() {
      asked += 1
      if (asked > 1) return true
      // The lookup started before the policy changed, and ends after the policy has closed the existing sockets.
      bus.publish('policyChanged', { organizationId: 'o' })
      return false
    },
    log: { error: (failure: unknown) => expect(failure).toBeUndefined() } as never,
    sockets: { isRefusing: () => false, accept: () => void (accepted += 1) },
    deniedCalls: { record: () => {} },
  })
  const stream = new PassThrough()
  const headers = { host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000', upgrade: 'websocket' }
  const rawHeaders = Object.entries(headers).flat()
  const request = { url: socketPath, method: 'GET', headers, rawHeaders, socket: {} } as IncomingMessage
  server.emit('upgrade', request, stream, Buffer.alloc(0))
  const [answer] = (await once(stream, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 403 /)
  expect([asked, accepted]).toEqual([2, 0])
})

async function scene() {
  const server = await createTestServer()
  const talk = await createTalk(server)
  const { factorCheck } = server.core
  /** Runs `act` directly after the next check by a guard. */
  const afterGuard = (act: (session: Session) => Promise<unknown>) => {
    const real = factorCheck.isMissing
    vi.spyOn(factorCheck, 'isSettled').mockReturnValue(false)
    vi.spyOn(factorCheck, 'isMissing').mockImplementationOnce(async (session) => {
      const answer = await real(session)
      await act(session)
      return answer
    })
  }
  /** Requires a second factor after the guard: the change of policy finds no transfer of this member to abort. */
  const requireAfterGuard = () => afterGuard(() => setPolicy(server, { twoFactor: true }))
  return { server, talk, afterGuard, requireAfterGuard }
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
  const { server, talk, afterGuard } = await scene()
  await using _ = server
  const address = await newAddress(talk.anna)
  afterGuard(({ userId }) => server.core.db.write((tx) => server.core.sessions.end(tx, userId, 'all')))
  const put = await talk.anna.fetch(address, { method: 'PUT', body: 'bytes' })
  expect([put.status, await put.json()]).toMatchObject([401, { code: 'NOT_SIGNED_IN' }])
  expect(await objects(server)).toEqual([])
})
