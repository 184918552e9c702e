import { files } from '@privity/contract/files'
import { keys } from '@privity/contract/keys'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { makeEpoch, publication } from '../../support/server/memberKeys.ts'
import {
  approve,
  checkFile,
  countRows,
  createTalk,
  download,
  grantFor,
  makeGrant,
  type SentFile,
  type Talk,
} from '../../support/scenes/conversation.ts'

let server: TestServer
let talk: Talk
let file: SentFile
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  talk = await createTalk(server)
  file = await talk.sendFile(talk.anna)
})

const ask = (member: Member, filePath = file.filePath) => member.call(files.request, { body: { filePath } })
const askAgain = (member: Member, filePath = file.filePath) => member.refused(files.request, { body: { filePath } })
const decision = (id: string, authorize: boolean, more: object = {}) => ({
  params: { id },
  body: { authorize, ...more },
})
const nowhere = '01900000-0000-7000-8000-000000000000'

describe('checking', () => {
  test('the owner can always download; the recipient has to ask', async () => {
    expect(await checkFile(talk.anna, file.filePath)).toEqual({ status: 'can_download' })
    expect(await checkFile(talk.ben, file.filePath)).toEqual({ status: 'none' })
  })

  test('takes the path with or without its leading slash or prefix, encoded or not', async () => {
    const id = file.filePath.slice(-36)
    for (const path of [`objects/${id}`, `/objects/${id}`, `%2Fobjects%2F${id}`, id]) {
      const answer = await talk.ben.request('GET', `/api/file-authorizations/check/${path}`)
      expect(answer, path).toMatchObject({ status: 200, body: { status: 'none' } })
    }
  })

  test.each(['', 'x', 'objects/', `objects/${nowhere}`, `objects/${nowhere}/..`, '..%2f..%2fetc%2fpasswd'])(
    'finds nothing at %j',
    async (path) => {
      const answer = await talk.ben.request('GET', `/api/file-authorizations/check/${path}`)
      expect(answer).toMatchObject({ status: 404, body: { code: 'FILE_NOT_FOUND' } })
    },
  )

  test('refuses a path with a NUL in it', async () => {
    const answer = await talk.ben.request('GET', '/api/file-authorizations/check/%00')
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
  })

  test('refuses a path of 1,000 characters', async () => {
    const answer = await talk.ben.request('GET', `/api/file-authorizations/check/${'x'.repeat(1000)}`)
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
  })
})

describe('asking', () => {
  test('notifies the owner, with the name and key that only they can decrypt', async () => {
    const { anna, ben, connection } = talk
    const [ofAnna, ofBen] = [await anna.socket(), await ben.socket()]
    const status = await ask(ben)
    expect(status).toEqual({ status: 'pending', authorizationId: expect.any(String) })
    const request = {
      id: status.authorizationId,
      requestedBy: `${ben.user.firstName} ${ben.user.lastName}`,
      requestedByEmail: ben.user.email,
      requestedById: ben.user.id,
      requestedAt: server.clock.now(),
      connectionId: connection.id,
      seq: 1,
      filePath: file.filePath,
      fileName: file.fileName,
      fileKey: file.fileKey,
      ownerEpoch: 1,
    }
    expect(await anna.call(files.listPending, {})).toEqual([request])
    expect((await ofAnna.next('authorization_requested')).request).toEqual(request)
    expect(await ofBen.next('authorization_changed')).toMatchObject({ filePath: file.filePath, status })
    expect(await ben.call(files.listPending, {})).toEqual([])
    expect(await checkFile(ben, file.filePath)).toEqual(status)
    const recipient = { authorizationId: status.authorizationId, status: 'pending', downloadsLeft: 0 }
    expect(await checkFile(anna, file.filePath)).toEqual({ status: 'can_download', recipient })
    expect((await ofAnna.next('authorization_changed')).status).toEqual({ status: 'can_download', recipient })
  })

  test('is done once, also in parallel', async () => {
    const path = '/api/file-authorizations/request'
    const { filePath } = file
    const answers = await Promise.all(Array.from({ length: 8 }, () => talk.ben.request('POST', path, { filePath })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of answers) {
      if (status !== 200) expect({ status, body }).toMatchObject({ status: 409, body: { code: 'REQUEST_EXISTS' } })
    }
    expect(await talk.anna.call(files.listPending, {})).toHaveLength(1)
  })

  test('for one’s own file changes nothing', async () => {
    const before = await countRows(server)
    expect(await ask(talk.anna)).toEqual({ status: 'can_download' })
    expect(await countRows(server)).toEqual(before)
  })

  test('lists requests oldest first', async () => {
    const second = await talk.sendFile(talk.anna)
    await ask(talk.ben, second.filePath)
    server.clock.advance(1)
    await ask(talk.ben)
    const paths = (await talk.anna.call(files.listPending, {})).map(({ filePath }) => filePath)
    expect(paths).toEqual([second.filePath, file.filePath])
  })

  test.each([
    undefined,
    {},
    { filePath: '' },
    { filePath: 7 },
    { filePath: '/objects/../x' },
    { filePath: 'objects/x' },
  ])('refuses %j as input', async (body) => {
    const answer = await talk.ben.request('POST', '/api/file-authorizations/request', body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
  })

  test('does not keep a file name that comes along in the clear', async () => {
    const body = { filePath: file.filePath, fileName: 'Settlement with Miller.pdf' }
    await talk.ben.call(files.request, { body })
    const { content } = { content: JSON.stringify(await talk.anna.call(files.listPending, {})) }
    expect(content).not.toContain('Miller')
  })
})

describe('deciding', () => {
  test('approval carries the key to the requester, and to nobody else', async () => {
    const { anna, ben } = talk
    const { authorizationId = '' } = await ask(ben)
    const [ofAnna, ofBen] = [await anna.socket(), await ben.socket()]
    const grant = await grantFor(server, authorizationId)
    const decided = await anna.call(files.decide, decision(authorizationId, true, { downloadLimit: 2, grant }))
    const recipient = { authorizationId, status: 'authorized', downloadsLeft: 2 }
    expect(decided).toEqual({ status: 'can_download', recipient })
    const status = { status: 'authorized', authorizationId, downloadsLeft: 2, grant }
    expect(await checkFile(ben, file.filePath)).toEqual(status)
    expect(await ofBen.next('authorization_changed')).toMatchObject({ filePath: file.filePath, status })
    expect((await ofAnna.next('authorization_changed')).status).toEqual(decided)
    expect(await checkFile(anna, file.filePath)).toEqual(decided)
    expect(await anna.call(files.listPending, {})).toEqual([])
  })

  test('a denial stands whatever the recipient does, until the owner allows it after all', async () => {
    const { anna, ben } = talk
    const { authorizationId = '' } = await ask(ben)
    await anna.call(files.decide, decision(authorizationId, false))
    expect(await checkFile(ben, file.filePath)).toEqual({ status: 'denied', authorizationId })
    expect(await askAgain(ben)).toMatchObject({ status: 409, body: { code: 'REQUEST_EXISTS' } })
    const again = await anna.refused(files.decide, decision(authorizationId, false))
    expect(again).toMatchObject({ status: 409, body: { code: 'AUTHORIZATION_DECIDED' } })
    expect((await download(ben, file.filePath)).status).toBe(403)

    const socket = await ben.socket()
    const grant = await grantFor(server, authorizationId)
    await anna.call(files.decide, decision(authorizationId, true, { grant }))
    const allowed = { status: 'authorized', authorizationId, downloadsLeft: 3, grant }
    expect((await socket.next('authorization_changed')).status).toEqual(allowed)
    expect((await download(ben, file.filePath)).status).toBe(200)
  })

  test('of several decisions at once, one counts', async () => {
    const { authorizationId = '' } = await ask(talk.ben)
    const path = `/api/file-authorizations/${authorizationId}`
    const grant = await grantFor(server, authorizationId)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => talk.anna.request('PATCH', path, { authorize: true, grant })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of answers)
      if (status !== 200) expect(body).toMatchObject({ code: 'AUTHORIZATION_DECIDED' })
  })

  test('revoking deletes the key, and no download is left', async () => {
    const { anna, ben } = talk
    const authorizationId = await approve(anna, ben, file.filePath)
    const socket = await ben.socket()
    await anna.call(files.decide, decision(authorizationId, false))
    const denied = { status: 'denied', authorizationId }
    expect((await socket.next('authorization_changed')).status).toEqual(denied)
    expect(await checkFile(ben, file.filePath)).toEqual(denied)
    const row = await server.core.db.read.get(
      'select downloads_left, grant_sealed_key, grant_signature from file_authorizations where id = ?',
      [authorizationId],
    )
    expect(row).toEqual({ downloads_left: 0, grant_sealed_key: null, grant_signature: null })
    expect((await download(ben, file.filePath)).status).toBe(403)
    expect((await anna.refused(files.decide, decision(authorizationId, false))).body.code).toBe('AUTHORIZATION_DECIDED')
  })

  test('a key for an epoch that is not the newest is refused with what is needed to make a new one', async () => {
    const { anna, ben, connection } = talk
    const { authorizationId = '' } = await ask(ben)
    await ben.call(keys.publishEpochs, publication(makeEpoch(ben.user.id, 2, server.clock.now())))
    const peer = await anna.call(keys.getContactKeys, { params: { id: connection.id } })
    for (const epochTo of [1, 3]) {
      const refusal = await anna.refused(files.decide, decision(authorizationId, true, { grant: makeGrant(epochTo) }))
      expect(refusal).toMatchObject({ status: 409, body: { code: 'EPOCH_SUPERSEDED', details: { epochTo: 2, peer } } })
    }
    expect(await checkFile(ben, file.filePath)).toMatchObject({ status: 'pending' })
    const grant = await grantFor(server, authorizationId, 2)
    await anna.call(files.decide, decision(authorizationId, true, { grant }))
  })

  test('by a session without the identity key is refused, and stays open', async () => {
    const { anna, ben } = talk
    const { authorizationId = '' } = await ask(ben)
    for (const more of [{}, { grant: makeGrant() }]) {
      const refusal = await anna.refused(files.decide, decision(authorizationId, true, more))
      expect(refusal.body).toMatchObject({ code: 'INVALID_INPUT', details: [{ path: 'grant' }] })
    }
    expect(await checkFile(ben, file.filePath)).toMatchObject({ status: 'pending' })
  })

  test('is the owner’s alone', async () => {
    const { authorizationId = '' } = await ask(talk.ben)
    const stranger = await createTalk(server)
    const before = await countRows(server)
    for (const member of [talk.ben, stranger.anna]) {
      for (const authorize of [true, false]) {
        const refusal = await member.refused(files.decide, decision(authorizationId, authorize))
        expect(refusal).toMatchObject({ status: 404, body: { code: 'AUTHORIZATION_NOT_FOUND' } })
      }
    }
    const missing = await talk.anna.refused(files.decide, decision(nowhere, true))
    expect(missing.body.code).toBe('AUTHORIZATION_NOT_FOUND')
    expect(await checkFile(talk.ben, file.filePath)).toMatchObject({ status: 'pending' })
    expect(await countRows(server)).toEqual(before)
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['no decision', {}],
    ['a decision that is no boolean', { authorize: 'yes' }],
    ['no download', { authorize: true, downloadLimit: 0 }],
    ['4 downloads', { authorize: true, downloadLimit: 4 }],
    ['half a download', { authorize: true, downloadLimit: 1.5 }],
    ['a key of the wrong size', { authorize: true, grant: { ...makeGrant(), sealedKey: 'AAAA' } }],
    ['a key without signature', { authorize: true, grant: { ...makeGrant(), signature: undefined } }],
    ['epoch 0', { authorize: true, grant: makeGrant(0) }],
  ])('refuses %s as input', async (_name, body) => {
    const { authorizationId } = await ask(talk.ben)
    const answer = await talk.anna.request('PATCH', `/api/file-authorizations/${authorizationId}`, body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect(await checkFile(talk.ben, file.filePath)).toMatchObject({ status: 'pending' })
  })

  test('ends with the file, to the millisecond', async () => {
    const { authorizationId = '' } = await ask(talk.ben)
    const day = 24 * 60 * 60 * 1000
    server.clock.advance(day / 2)
    await Promise.all([talk.anna.call(files.listPending, {}), talk.ben.call(files.listPending, {})])
    server.clock.advance(day / 2 - 1)
    expect(await talk.anna.call(files.listPending, {})).toHaveLength(1)
    expect(await checkFile(talk.ben, file.filePath)).toMatchObject({ status: 'pending' })
    expect((await download(talk.anna, file.filePath)).status).toBe(200)
    server.clock.advance(1)
    expect(await talk.anna.call(files.listPending, {})).toEqual([])
    const check = await talk.ben.refused(files.check, { params: { '*': file.filePath } })
    expect(check.body.code).toBe('FILE_NOT_FOUND')
    expect((await askAgain(talk.ben)).body.code).toBe('FILE_NOT_FOUND')
    const decided = await talk.anna.refused(files.decide, decision(authorizationId, true))
    expect(decided.body.code).toBe('AUTHORIZATION_NOT_FOUND')
    expect((await download(talk.anna, file.filePath)).status).toBe(404)
  })
})

test('polled again, a list that has not changed is only said to be the same', async () => {
  const poll = (tag?: string) =>
    talk.anna.request('GET', '/api/file-authorizations/pending', undefined, tag ? { 'if-none-match': tag } : {})
  const first = await poll()
  const tag = first.headers.get('etag') ?? ''
  expect(first).toMatchObject({ status: 200, body: [] })
  expect(await poll(tag)).toMatchObject({ status: 304, body: '' })
  await ask(talk.ben)
  const changed = await poll(tag)
  expect(changed).toMatchObject({ status: 200, body: [{ filePath: file.filePath }] })
  expect(changed.headers.get('etag')).not.toBe(tag)
  const unread = await talk.ben.request('GET', '/api/unread-counts')
  expect(unread.headers.get('etag')).toMatch(/^"[\w-]{22}"$/)
})
