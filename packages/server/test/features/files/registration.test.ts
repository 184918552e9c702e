import { files } from '@privity/contract/files'
import { limits } from '@privity/contract/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import {
  countRows,
  createTalk,
  randomFile,
  registerFile,
  type Talk,
  upload,
} from '../../support/scenes/conversation.ts'
import { expectRefused, failToRegister, idIn, newAddress, objects } from '../../support/scenes/uploads.ts'

let server: TestServer
let talk: Talk
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { upload: many, other: many } } })
})
afterAll(() => server.close())
beforeEach(async () => {
  talk = await createTalk(server)
})

describe('registering', () => {
  test('needs a finished upload', async () => {
    const before = await countRows(server)
    for (const fileURL of ['', '/', 'x', 'http://', '/objects/x', '/api/objects/uploads/x', 'javascript:1']) {
      expect(await failToRegister(talk.anna, fileURL), fileURL).toMatchObject({
        status: 404,
        body: { code: 'UPLOAD_NOT_FOUND' },
      })
    }
    expect(await countRows(server)).toEqual(before)
    const unused = await newAddress(talk.anna)
    expect((await failToRegister(talk.anna, unused)).body.code).toBe('UPLOAD_NOT_FOUND')
  })

  test.each([undefined, {}, { fileURL: 7 }, { fileURL: 'x'.repeat(3000) }, { fileURL: '\0' }])(
    'refuses %j as input',
    async (body) => {
      const answer = await talk.anna.request('PUT', '/api/files', body)
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    },
  )

  test('an hour too late finds nothing, and the bytes are gone', async () => {
    const { uploadURL } = await upload(talk.anna, randomFile(10))
    await server.advance(limits.unregisteredUploadKept - 1)
    expect(await objects(server)).toContain(idIn(uploadURL))
    await server.advance(10 * 60_000)
    expect((await failToRegister(talk.anna, uploadURL)).body.code).toBe('UPLOAD_NOT_FOUND')
    expect(await objects(server)).not.toContain(idIn(uploadURL))
    expect(await server.core.db.read.all('select 1 from uploads where id = ?', [idIn(uploadURL)])).toEqual([])
  })

  test('without sending allows no download, not even by the owner, and the file ends after an hour', async () => {
    const { filePath } = await registerFile(talk.anna, randomFile(10))
    for (const member of [talk.anna, talk.ben]) {
      await expectRefused(member.fetch(filePath), 404, 'FILE_NOT_FOUND')
      const check = await member.refused(files.check, { params: { '*': filePath } })
      expect(check).toMatchObject({ status: 404, body: { code: 'FILE_NOT_FOUND' } })
      expect((await member.refused(files.request, { body: { filePath } })).body.code).toBe('FILE_NOT_FOUND')
    }
    await server.advance(limits.unregisteredUploadKept - 1)
    expect(await objects(server)).toContain(idIn(filePath))
    await server.advance(15_000)
    expect(await objects(server)).not.toContain(idIn(filePath))
    expect(await server.core.db.read.all('select 1 from files where id = ?', [idIn(filePath)])).toEqual([])
  })
})
