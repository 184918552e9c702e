import type { Endpoint } from '@privity/contract/endpoint'
import { approval, makeRemoval, sealTo } from '../../support/scenes/browsers.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { countRows, fileFields } from '../../support/scenes/conversation.ts'
import { reportBy } from '../../support/founder/moderation.ts'
import { random } from '../../support/server/memberKeys.ts'
import { createScene, type Scene } from '../../support/scenes/stranger.ts'

let server: TestServer
let scene: Scene
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { other: many } } })
  scene = await createScene(server)
})
afterAll(() => server.close())

interface Attempt {
  name: string
  call(): Promise<{ status: number; body: unknown }>
  status: number
  code: string
}

const request = (method: string, path: () => string, body?: () => unknown) => () =>
  scene.stranger.request(method, path(), body?.())
const theirs = () => `/api/connections/${scene.talk.connection.id}`
const noConnection = { status: 404, code: 'CONNECTION_NOT_FOUND' }
const noFile = { status: 404, code: 'FILE_NOT_FOUND' }
const noUpload = { status: 404, code: 'UPLOAD_NOT_FOUND' }
const noRequest = { status: 404, code: 'AUTHORIZATION_NOT_FOUND' }

/** Calls whose path names what is another's, with their bodies. */
const refusedFor = (
  id: () => string,
  refusal: Pick<Attempt, 'status' | 'code'>,
  calls: readonly (readonly [call: string, body?: () => object])[],
): Attempt[] =>
  calls.map(([name, body]) => {
    const [method = '', path = ''] = name.split(' ')
    return { name, call: request(method, () => path.replace(':id', id()), body), ...refusal }
  })

const attempts: Attempt[] = [
  { name: 'DELETE /api/connections/:id', call: request('DELETE', theirs), ...noConnection },
  {
    name: 'POST /api/connections/:id/block',
    call: request('POST', () => `${theirs()}/block`),
    ...noConnection,
  },
  ...refusedFor(() => scene.blockedId, { status: 404, code: 'BLOCK_NOT_FOUND' }, [
    ['DELETE /api/blocks/:id of one who was blocked by another'],
  ]),
  ...refusedFor(() => scene.blockedId, { status: 404, code: 'FORMER_CONTACT_NOT_FOUND' }, [
    ['POST /api/former-contacts/:id/block of one who was connected with another'],
    ['DELETE /api/former-contacts/:id of one who was connected with another'],
  ]),
  ...refusedFor(() => scene.requestId, { status: 404, code: 'CONNECTION_REQUEST_NOT_FOUND' }, [
    ['POST /api/connection-requests/:id/accept'],
    ['POST /api/connection-requests/:id/decline'],
    ['POST /api/connection-requests/:id/block'],
    ['DELETE /api/connection-requests/:id'],
  ]),
  { name: 'GET /api/connections/:id/messages', call: request('GET', () => `${theirs()}/messages`), ...noConnection },
  {
    name: 'GET /api/connections/:id/messages after 0',
    call: request('GET', () => `${theirs()}/messages?after=0`),
    ...noConnection,
  },
  {
    name: 'PUT /api/connections/:id/messages/read',
    call: request('PUT', () => `${theirs()}/messages/read`),
    ...noConnection,
  },
  {
    name: 'GET /api/connections/:id/messages/progress',
    call: request('GET', () => `${theirs()}/messages/progress`),
    ...noConnection,
  },
  ...refusedFor(() => scene.talk.connection.id, noConnection, [
    ['PUT /api/connections/:id/lifetime', () => ({ lifetime: 60 * 60 * 1000 })],
  ]),
  ...refusedFor(() => scene.file.id, { status: 404, code: 'MESSAGE_NOT_FOUND' }, [
    ['POST /api/messages/:id/delete', () => ({ deletion: random(68) })],
  ]),
  { name: 'GET /api/connections/:id/keys', call: request('GET', () => `${theirs()}/keys`), ...noConnection },
  {
    name: 'POST /api/messages into their connection',
    call: request(
      'POST',
      () => '/api/messages',
      () => scene.talk.text(scene.talk.anna),
    ),
    ...noConnection,
  },
  {
    name: 'POST /api/messages with their registered file',
    call: request(
      'POST',
      () => '/api/messages',
      () => scene.own.text(scene.own.anna, fileFields(scene.registered, 10)),
    ),
    ...noFile,
  },
  {
    name: 'POST /api/messages with their sent file',
    call: request(
      'POST',
      () => '/api/messages',
      () => scene.own.text(scene.own.anna, fileFields(scene.file.filePath, 1000)),
    ),
    ...noFile,
  },
  {
    name: 'PUT /api/files',
    call: request(
      'PUT',
      () => '/api/files',
      () => ({ fileURL: scene.uploadURL }),
    ),
    ...noUpload,
  },
  {
    name: 'PUT to their address',
    call: request(
      'PUT',
      () => scene.uploadURL,
      () => 'mine',
    ),
    ...noUpload,
  },
  {
    name: 'GET /api/file-authorizations/check/*',
    call: request('GET', () => `/api/file-authorizations/check${scene.file.filePath}`),
    ...noFile,
  },
  {
    name: 'POST /api/file-authorizations/request',
    call: request(
      'POST',
      () => '/api/file-authorizations/request',
      () => ({ filePath: scene.pending.filePath }),
    ),
    ...noFile,
  },
  ...refusedFor(() => scene.pendingId, noRequest, [
    ['PATCH /api/file-authorizations/:id to approve', () => ({ authorize: true })],
  ]),
  ...refusedFor(() => scene.approvedId, noRequest, [
    ['PATCH /api/file-authorizations/:id to revoke', () => ({ authorize: false })],
  ]),
  ...refusedFor(() => scene.browserId, { status: 404, code: 'BROWSER_NOT_FOUND' }, [
    ['GET /api/browsers/:id/links?after=0'],
    ['PUT /api/browsers/:id/session', () => ({ sessionSignature: random(64) })],
    ['POST /api/browsers/:id/approval', () => ({ commitment: random(32) })],
    [
      'PUT /api/browsers/:id/approval/answer',
      () => ({ commitment: random(32), approverId: scene.browserId, nonce: random(32) }),
    ],
    ['PUT /api/browsers/:id/approval/reveal', () => ({ commitment: random(32), nonce: random(32) })],
    ['DELETE /api/browsers/:id/approval'],
    ['PUT /api/browsers/:id/seeds', () => approval(scene.stranger, scene.browserId, 1, sealTo([scene.browserId], [1]))],
    ['POST /api/browsers/:id/removal', () => makeRemoval(scene.stranger, scene.browserId)],
  ]),
  {
    name: 'DELETE /api/notifications/:id',
    call: request('DELETE', () => `/api/notifications/${scene.noticeId}`),
    status: 404,
    code: 'NOT_FOUND',
  },
  {
    name: 'POST /api/notifications/key-changes',
    call: request(
      'POST',
      () => '/api/notifications/key-changes',
      () => ({ connectionId: scene.talk.connection.id, identityKey: scene.talk.ben.keys?.identityKey }),
    ),
    ...noConnection,
  },
  {
    name: 'POST /api/message-reports of their message',
    call: request(
      'POST',
      () => '/api/message-reports',
      () => reportBy(scene.stranger, scene.file, scene.talk.anna.user.id),
    ),
    status: 404,
    code: 'MESSAGE_NOT_FOUND',
  },
  {
    name: 'POST /api/second-factor/passkeys/:id/removal',
    call: request(
      'POST',
      () => `/api/second-factor/passkeys/${scene.passkeyId}/removal`,
      () => ({ password: scene.stranger.password }),
    ),
    status: 404,
    code: 'PASSKEY_NOT_FOUND',
  },
  ...refusedFor(() => scene.talk.anna.user.id, { status: 403, code: 'FORBIDDEN' }, [
    ['PATCH /api/users/:id/status', () => ({ isActive: false })],
    ['PATCH /api/users/:id/role', () => ({ role: 'super_admin' })],
    ['POST /api/users/:id/second-factor/reset'],
    ['POST /api/users/:id/unlock'],
    ['DELETE /api/users/:id'],
    ['DELETE /api/organizations/invitations/:id'],
  ]),
  { name: 'GET /objects/:id of a sent file', call: request('GET', () => scene.file.filePath), ...noFile },
  { name: 'GET /objects/:id of a file not sent', call: request('GET', () => scene.registered), ...noFile },
]

/** Every text in the scene that must not reach a stranger. */
function secrets(): string[] {
  const { talk, file, pending } = scene
  const names = [talk.anna, talk.ben].flatMap(({ user }) => [user.id, user.username, user.email, user.connectionCode])
  return [...names, talk.connection.id, file.filePath, file.content, file.fileName ?? '', pending.fileKey ?? '']
}

describe('a stranger', () => {
  let before: Record<string, number>
  beforeEach(async () => {
    before = await countRows(server)
  })

  test.each(attempts)('$name', async ({ call, status, code }) => {
    const sockets = [await scene.talk.anna.socket(), await scene.talk.ben.socket()]
    for (const socket of sockets) await socket.settled()
    for (const socket of sockets) socket.frames.length = 0
    const answer = await call()
    expect(answer).toMatchObject({ status, body: { code } })
    expect(await countRows(server)).toEqual(before)
    for (const socket of sockets) {
      await socket.settled()
      expect(socket.frames.filter(({ type }) => type !== 'party_changed')).toEqual([])
    }
    for (const secret of secrets()) expect(JSON.stringify(answer.body)).not.toContain(secret)
  })

  test('is answered like one who asks for what never was', async () => {
    const missing = '01900000-0000-7000-8000-000000000000'
    const { talk, file, pendingId, uploadURL, noticeId } = scene
    const same: [string, string, string, unknown?][] = [
      ['GET', '/api/connections/ID/messages', talk.connection.id],
      ['DELETE', '/api/connections/ID', talk.connection.id],
      ['GET', '/api/file-authorizations/check/objects/ID', file.filePath.slice(-36)],
      ['PATCH', '/api/file-authorizations/ID', pendingId, { authorize: true }],
      ['DELETE', '/api/notifications/ID', noticeId],
      ['GET', '/objects/ID', file.filePath.slice(-36)],
      ['PUT', '/api/objects/uploads/ID', uploadURL.slice(-36), 'x'],
    ]
    for (const [method, path, id, body] of same) {
      const [theirs, nobodys] = [id, missing].map((each) =>
        scene.stranger.request(method, path.replace('ID', each), body),
      )
      const [one, other] = [await theirs, await nobodys]
      expect([one?.status, one?.body], `${method} ${path}`).toEqual([other?.status, other?.body])
      expect(one?.status).toBe(404)
    }
  })

  test('finds in their own lists only what is theirs', async () => {
    const { connection } = scene.talk
    const lists = [
      '/api/connections',
      '/api/unread-counts',
      '/api/file-authorizations/pending',
      '/api/blocks',
      '/api/former-contacts',
      '/api/connection-requests',
      '/api/notifications',
    ]
    const keys = ['/api/keys/identities', `/api/keys/peers?connections=${connection.id}`]
    for (const path of [...lists, ...keys]) {
      const { body } = await scene.stranger.request('GET', path)
      for (const secret of secrets()) expect(JSON.stringify(body), path).not.toContain(secret)
    }
  })
})

test('every call that names something is in the table', () => {
  const naming = ({ path, method }: Endpoint) =>
    /:id|\*/.test(path) ||
    [
      'POST /api/messages',
      'PUT /api/files',
      'POST /api/file-authorizations/request',
      'POST /api/notifications/key-changes',
      'POST /api/message-reports',
    ].includes(`${method} ${path}`)
  const mine = server.core.endpoints.filter(
    (endpoint) => naming(endpoint) && endpoint.guard !== 'founder' && !endpoint.path.startsWith('/api/sessions'),
  )
  for (const { method, path } of mine) {
    expect(
      attempts.some(({ name }) => name.startsWith(`${method} ${path}`)),
      `${method} ${path}`,
    ).toBe(true)
  }
})
