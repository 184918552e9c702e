import { account } from '@privity/contract/account'
import type { Endpoint } from '@privity/contract/endpoint'
import { keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { recovery } from '@privity/contract/recovery'
import { type PasskeyCreation, secondFactor } from '@privity/contract/secondFactor'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createSoftPasskey } from '../../support/scenes/passkey.ts'
import { makeEpoch, makeKeys, makePins, random, wrapped } from '../../support/server/memberKeys.ts'

let server: TestServer
let member: Member
beforeAll(async () => {
  // The test sends more calls with a password than the rate limit allows a person.
  const many = { requests: 1000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signIn: many } } })
  member = await server.signUp('member')
})
afterAll(() => server.close())

const snapshot = async () => {
  const tables = ['users', 'sessions', 'epochs', 'audit_log', 'invitations', 'known_devices', 'sign_in_locks']
  return Promise.all(tables.map((table) => server.core.db.read.all(`select * from ${table}`)))
}

const person = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', username: 'ada', password: 'secret' }
const goodKeys = () => makeKeys(server.clock.now())

const creation: PasskeyCreation = {
  challenge: random(32),
  rp: { id: 'localhost', name: 'x' },
  user: { id: 'AA', name: 'x', displayName: 'x' },
  pubKeyCredParams: [],
  timeout: 1,
  attestation: 'none',
  authenticatorSelection: { residentKey: 'discouraged', userVerification: 'discouraged' },
  excludeCredentials: [],
}

/** A valid body of each call, and single values that make it invalid. */
const bodies: [string, Endpoint, () => object, Record<string, unknown[]>][] = [
  [
    'register',
    session.register,
    () => ({ ...person, keys: goodKeys() }),
    {
      username: ['', 'ab', 'a'.repeat(33), 'a b', 'ä-name', 'a\0b', 'a/b', null, 5, ['ada'], {}],
      password: ['', 'x'.repeat(1025), null, 5],
      firstName: ['', '  ', 'x'.repeat(65), 'a\0', '\u202eadA', null],
      lastName: ['', 'x'.repeat(65), 7],
      email: ['', 'ada', 'ada@', '@example.com', `${'a'.repeat(250)}@example.com`, 'a b@example.com', null],
      invitation: ['', 'x'.repeat(129), 5, 'never made'],
      keys: [null, 'x', {}, []],
    },
  ],
  [
    'login',
    session.login,
    () => ({ username: 'member', password: member.password }),
    { username: ['', '  ', 'x'.repeat(65), null, 1, {}], password: ['', 'x'.repeat(1025), null, 1, ['x']] },
  ],
  [
    'recovery start',
    recovery.start,
    () => ({ username: 'member', recoveryProof: random(32) }),
    { username: ['', 'a b', null], recoveryProof: ['', 'x'.repeat(1025), null, 1] },
  ],
  [
    'recovery finish',
    recovery.finish,
    () => ({ username: 'member', recoveryProof: random(32), password: 'x', wrappedAccountKey: wrapped() }),
    { password: ['', null], wrappedAccountKey: ['', 'not base64url!', 'A'.repeat(30_000), null] },
  ],
  [
    'publish epochs',
    keys.publishEpochs,
    () => ({ epochs: [makeEpoch(member.user.id, 2, server.clock.now())] }),
    { epochs: [null, 'x', {}, [], [null], ['x'], Array.from({ length: limits.epochsAhead + 1 }, () => ({}))] },
  ],
  [
    'put pins',
    keys.putPins,
    () => makePins(member.user.id, 2),
    {
      version: [-1, 1.5, '2', null],
      sealed: [null, 'not base64url!', 5],
      signature: [undefined, null, '', random(63)],
    },
  ],
  [
    'update profile',
    account.updateProfile,
    () => ({ firstName: 'Ada', lastName: 'King', email: 'king@example.com' }),
    {
      firstName: ['', '  ', 'x'.repeat(65), 'a\0', '\u2067adA', null, 5],
      lastName: ['', 'x'.repeat(65), 7],
      email: ['', 'ada', 'ada@', '@example.com', `${'a'.repeat(250)}@example.com`, 'a b@example.com', null],
    },
  ],
  [
    'change password',
    account.changePassword,
    () => ({ currentPassword: 'not it', newPassword: 'x', wrappedAccountKey: wrapped(), identityKey: random(32) }),
    {
      currentPassword: ['', 'x'.repeat(1025), null, 1, ['x']],
      newPassword: ['', 'x'.repeat(1025), null, 1, ['x']],
      replacement: [null, 'x', {}, []],
      identityKey: ['', random(31), random(33), null, 1],
    },
  ],
  [
    'renew recovery key',
    account.renewRecoveryKey,
    () => ({
      password: 'not it',
      recoveryProof: random(32),
      recovery: { kemKey: random(1216), signature: random(64) },
      recoveryWrappedAccountKey: wrapped(),
      identityKey: random(32),
    }),
    {
      password: ['', 'x'.repeat(1025), null],
      recoveryProof: ['', 'x'.repeat(1025), null, 1],
      recovery: [undefined, null, {}, { kemKey: random(1215), signature: random(64) }],
      recoveryWrappedAccountKey: ['', 'not base64url!', 'A'.repeat(30_000), null],
      identityKey: ['', random(31), random(33), null, undefined],
    },
  ],
  [
    'finish sign-in',
    secondFactor.signIn,
    () => ({ ticket: random(32), code: '123456' }),
    {
      ticket: ['', 'x'.repeat(1025), null, 5],
      code: ['', '12345', '1234567', 'abcdef', 123456, null],
      recoveryCode: ['', 'x'.repeat(65), 'AAAAA-AAAAA', 5],
      assertion: [null, 'x', {}, { id: 'x' }],
    },
  ],
  [
    'switch two-factor sign-in off',
    secondFactor.remove,
    () => ({ password: 'not it', what: 'everything' }),
    { password: ['', 'x'.repeat(1025), null], what: ['', 'nothing', null] },
  ],
  [
    'confirm an authenticator app',
    secondFactor.confirmTotp,
    () => ({ code: '123456' }),
    { code: ['', '12345', '1234 56', 'abcdef', 123456, null] },
  ],
  [
    'add a passkey',
    secondFactor.addPasskey,
    () => ({ name: 'A key', credential: createSoftPasskey().create(creation, 'http://localhost') }),
    { name: ['', '  ', 'x'.repeat(65), null, 5], credential: [null, 'x', {}, { id: 'x' }] },
  ],
  [
    'delete account',
    account.remove,
    () => ({ username: 'member', password: 'not it' }),
    { username: ['', 'ab', 'somebody-else', null, 5], password: ['', 'x'.repeat(1025), null] },
  ],
]

describe.each(bodies)('%s', (_name, endpoint, good, spoilt) => {
  const send = (body: unknown, headers?: Record<string, string>) =>
    (endpoint.guard === 'member' ? member : server.visitor()).request(endpoint.method, endpoint.path, body, headers)

  test.each(Object.entries(spoilt).flatMap(([field, values]) => values.map((value) => [field, value] as const)))(
    'refuses %s = %j and changes nothing',
    async (field, value) => {
      const before = await snapshot()
      const answer = await send({ ...good(), [field]: value })
      expect(answer.status).toBe(400)
      expect(['INVALID_INPUT', 'INVITATION_INVALID']).toContain((answer.body as { code: string }).code)
      expect(await snapshot()).toEqual(before)
    },
  )

  test('refuses a body without one of its fields, and says which', async () => {
    const before = await snapshot()
    const required = Object.keys(spoilt).filter(
      (field) => !['invitation', 'keys', 'replacement', 'recoveryCode', 'assertion'].includes(field),
    )
    for (const field of required) {
      const answer = await send({ ...good(), [field]: undefined })
      expect(answer).toMatchObject({ status: 400, body: { details: [{ path: field }] } })
    }
    expect(await snapshot()).toEqual(before)
  })

  test('refuses no body, no JSON, other JSON and other types', async () => {
    const before = await snapshot()
    for (const body of [undefined, '', '{', '"text"', 'null', '[]', '{"a":1}{', '\0']) {
      const answer = await send(body)
      expect(answer, String(body)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    }
    const form = await send('username=ada', { 'content-type': 'application/x-www-form-urlencoded' })
    expect(form).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect(await snapshot()).toEqual(before)
  })

  test('takes no NUL in any text: one of the databases keeps none', async () => {
    const before = await snapshot()
    for (const [field, value] of Object.entries(good())) {
      if (typeof value !== 'string') continue
      const answer = await send({ ...good(), [field]: `a\0${value.slice(2)}` })
      expect(answer, field).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    }
    expect(await snapshot()).toEqual(before)
  })

  test('refuses a body over its bound', async () => {
    const before = await snapshot()
    const bound = endpoint.bodyBytes ?? limits.jsonBodyBytes
    const answer = await send({ ...good(), padding: 'x'.repeat(bound) })
    expect(answer).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } })
    expect(await snapshot()).toEqual(before)
  })

  test('is not confused by __proto__, constructor or unknown fields', async () => {
    const text = JSON.stringify(good())
    const odd = `{"__proto__":{"role":"super_admin"},"constructor":{"prototype":{"x":1}},"role":"super_admin",${text.slice(1)}`
    const answer = await send(odd)
    expect([200, 201, 401, 403, 409, 423]).toContain(answer.status)
    expect((answer.body as { role?: string }).role ?? 'none').not.toBe(
      endpoint === session.register ? 'super_admin' : 'no such role',
    )
    expect(({} as { role?: string }).role).toBeUndefined()
  })
})

test('a NUL is found however deep it stands, and what is deep breaks nothing', async () => {
  const deep = (text: string) => `{"a":${'['.repeat(20_000)}"${text}"${']'.repeat(20_000)}}`
  for (const [text, status] of [
    [String.raw`\u0000`, 400],
    [String.raw`\\\u0000`, 400],
    [String.raw`\\u0000`, 401],
  ] as const) {
    const assertion = { id: 'AA', rawId: 'AA', type: 'public-key', response: {}, clientExtensionResults: 0 }
    const body = JSON.stringify({ ...person, password: 'wrong', more: assertion }).replace(
      '"clientExtensionResults":0',
      `"more":${deep(text)}`,
    )
    const answer = await server.visitor().request('POST', '/api/login', body)
    expect([answer.status, text]).toEqual([status, text])
  }
})

test('a text about NUL is a text like any other', async () => {
  const odd = { ...person, username: 'odd', email: 'odd@example.com', firstName: String.raw`\u0000` }
  expect((await server.visitor().call(session.register, { body: odd })).firstName).toBe(odd.firstName)
})

test('identifiers in the path must be identifiers', async () => {
  for (const id of ['x', '1', '%00', '..', '01890000-0000-7000-8000-00000000000', "' or 1=1 --"]) {
    const path = `/api/sessions/${encodeURIComponent(id)}`
    const answer = await member.request('DELETE', path)
    expect([400, 404], id).toContain(answer.status)
    expect(['INVALID_INPUT', 'NOT_FOUND']).toContain((answer.body as { code: string }).code)
  }
})

test('an unknown address, method or a broken one answers from the catalogue', async () => {
  for (const [method, path] of [
    ['GET', '/api/nothing-here'],
    ['POST', '/api/user'],
    ['DELETE', '/api'],
    ['GET', '/api/%zz'],
    ['GET', `/api/sessions/${'x'.repeat(500)}`],
    ['PATCH', '/api/login'],
  ] as const) {
    const answer = await member.request(method, path, undefined, { accept: 'application/json' })
    expect(answer, `${method} ${path}`).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', error: expect.any(String) },
    })
  }
})

test('a failure inside is told to nobody', async () => {
  // Without a first invitation, which would reference the table.
  const broken = await createTestServer({ env: { TRUST_PROXY: '0' } })
  await broken.core.db.write((tx) => tx.run('alter table organizations rename to gone'))
  const answer = await broken.visitor().request('POST', '/api/register', person)
  expect(answer.status).toBe(500)
  expect(JSON.stringify(answer.body)).not.toMatch(/sqlite|postgres|organizations|no such table|relation|\.ts/i)
  expect(answer.body).toMatchObject({ code: 'INTERNAL' })
  await broken.close()
})
