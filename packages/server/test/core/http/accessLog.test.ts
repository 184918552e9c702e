import Fastify from 'fastify'
import { session } from '@privity/contract/session'
import { expect, test } from 'vitest'
import { describeError, errorText, loggerOptions } from '../../../src/core/log.ts'
import { newRequestId } from '../../../src/core/http/accessLog.ts'
import { createTestServer, type TestServerOptions } from '../../support/server/testServer.ts'

interface Line {
  level: number
  msg: string
  requestId?: string
  route?: string
  status?: number
  ms?: number
  [more: string]: unknown
}

/** A server whose log is recorded. */
async function listen({ env = {} }: TestServerOptions = {}) {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const { log } = Fastify({ logger: { ...loggerOptions({ logLevel: 'info' }), stream } })
  const server = await createTestServer({ env, options: { log } })
  return { server, text: () => lines.join(''), lines: () => lines.map((line) => JSON.parse(line) as Line) }
}

const isId = expect.stringMatching(/^[\w-]{16}$/) as string

test('a failure has the same id in its response and in the log; the response reveals no more', async () => {
  const { server, lines } = await listen()
  const member = await server.signUp()
  server.core.db.read.get = () => Promise.reject(new Error('the disk is on fire'))
  const answer = await member.request('GET', '/api/user')
  expect([answer.status, Object.keys(answer.body as object).toSorted()]).toEqual([500, ['code', 'error', 'message']])
  const requestId = answer.headers.get('x-request-id')
  expect(requestId).toEqual(isId)
  expect(lines().filter((line) => line.requestId === requestId)).toEqual([
    expect.objectContaining({ level: 50, msg: 'INTERNAL', route: 'GET /api/user' }),
  ])
  await server.close()
})

test('requests are lines of the log where ACCESS_LOG is on only', async () => {
  for (const [env, wanted] of [
    [{}, 0],
    [{ ACCESS_LOG: '1' }, 3],
  ] as const) {
    const { server, lines } = await listen({ env })
    const visitor = server.visitor()
    const answers = [
      await visitor.request('GET', '/api/config'),
      await visitor.request('GET', '/api/connections/secret-part/messages?before=secret-query'),
      await visitor.request('DELETE', '/nothing/secret-address'),
    ]
    const found = lines().filter(({ msg }) => msg === 'request')
    expect(found).toHaveLength(wanted)
    if (wanted > 0) {
      expect(found.map(({ route, status }) => [route, status])).toEqual([
        ['GET /api/config', 200],
        ['GET /api/connections/:id/messages', 401],
        ['DELETE unknown address', 404],
      ])
      expect(found.map(({ requestId }) => requestId)).toEqual(answers.map(({ headers }) => headers.get('x-request-id')))
      for (const line of found)
        expect(Object.keys(line).toSorted()).toEqual(['level', 'ms', 'msg', 'requestId', 'route', 'status', 'time'])
    } else expect(answers[0]?.headers.get('x-request-id')).toBeNull()
    expect(JSON.stringify(lines())).not.toContain('secret')
    await server.close()
  }
})

test('an id is taken from a proxy that is believed, where it has the form of one', async () => {
  const refuse = async (env: Record<string, string>, given: string) => {
    const { server } = await listen({ env })
    const { headers } = await server.visitor().request('GET', '/nowhere', undefined, { 'x-request-id': given })
    await server.close()
    return headers.get('x-request-id')
  }
  expect(await refuse({ TRUST_PROXY: '1' }, 'b7a1-proxy.id:01')).toBe('b7a1-proxy.id:01')
  expect(await refuse({ TRUST_PROXY: '127.0.0.1' }, 'b7a1-proxy.id:01')).toBe('b7a1-proxy.id:01')
  expect(await refuse({ TRUST_PROXY: '0' }, 'b7a1-proxy.id:01')).toEqual(isId)
  expect(await refuse({ TRUST_PROXY: '192.0.2.1' }, 'b7a1-proxy.id:01')).toEqual(isId)
  for (const bad of ['short', 'x'.repeat(65), 'with a space in it', '"quoted-quoted"', '{"level":50,"msg":"no"}'])
    expect(await refuse({ TRUST_PROXY: '1' }, bad)).toEqual(isId)
})

test('ids are random: a thousand are a thousand', () => {
  const ids = Array.from({ length: 1000 }, newRequestId)
  expect(new Set(ids).size).toBe(1000)
  for (const id of ids) expect(id).toEqual(isId)
})

test('of an error the log holds what happened where, and nothing that a library hung on it', () => {
  const error = Object.assign(new Error('duplicate key value violates unique constraint "users_email"'), {
    code: '23505',
    detail: 'Key (email)=(secret@example.org) already exists.',
    parameters: ['secret'],
    routine: '_bt_check_unique',
  })
  const outer = new Error('could not store', { cause: error })
  const told = describeError(outer)
  expect(told).toMatchObject({ type: 'Error', message: 'could not store', cause: { code: '23505' } })
  expect(JSON.stringify(told)).toContain('users_email')
  expect(JSON.stringify(told)).not.toContain('secret')
  expect(errorText(outer)).toMatch(/^Error: could not store\n\s+at [^]*because of Error 23505: .*users_email"\n\s+at /)
  expect(errorText(outer)).not.toContain('secret')
  const quoting = Object.assign(new Error('invalid input syntax for type bigint: "secret"'), {
    code: '22P02',
    routine: 'scanint8',
  })
  expect(JSON.stringify(describeError(quoting))).not.toContain('secret')
  expect(describeError(quoting)).toMatchObject({
    code: '22P02',
    stack: expect.stringContaining('accessLog.test') as string,
  })
  expect(describeError('secret')).toEqual({ type: 'string', message: '', stack: '' })
  const around = new Error('one')
  around.cause = around
  expect(JSON.stringify(describeError(around)).length).toBeLessThan(20_000)
})

test('bodies, cookies, names and addresses of a sign-in are in no line', async () => {
  const { server, text } = await listen({ env: { ACCESS_LOG: '1' } })
  const member = await server.signUp('canary-name')
  const body = { username: 'canary-name', password: 'canary-password' }
  await server.visitor('203.0.113.77').refused(session.login, { body })
  await member.call(session.login, { body: { username: 'canary-name', password: member.password } })
  expect(text()).toContain('"route":"POST /api/login"')
  const cookies = [...member.cookies.values()]
  for (const secret of ['canary', '203.0.113.77', member.address, member.user.id, ...cookies])
    expect(text()).not.toContain(secret)
  await server.close()
})
