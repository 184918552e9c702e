import { files } from '@privity/contract/files'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import {
  approve,
  checkFile,
  createTalk,
  download,
  fileFields,
  grantFor,
  makeGrant,
  randomFile,
  registerFile,
} from '../../support/scenes/conversation.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

test('allowing again is a new decision with its own three downloads, and an entry of its own', async () => {
  const talk = await createTalk(server)
  const { anna, ben } = talk
  const file = await talk.sendFile(anna)
  const authorizationId = await approve(anna, ben, file.filePath)
  const allow = async () => {
    const grant = await grantFor(server, authorizationId)
    return anna.request('PATCH', `/api/file-authorizations/${authorizationId}`, { authorize: true, grant })
  }
  expect(await allow()).toMatchObject({ status: 409, body: { code: 'AUTHORIZATION_DECIDED' } })
  for (let i = 0; i < 3; i++) expect((await download(ben, file.filePath)).status).toBe(200)
  expect((await download(ben, file.filePath)).status).toBe(403)
  // Used up: the owner may authorize again without a request. Of concurrent decisions, one counts.
  const answers = await Promise.all(Array.from({ length: 6 }, allow))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  const downloads = await Promise.all(Array.from({ length: 6 }, () => download(ben, file.filePath)))
  expect(downloads.filter(({ status }) => status === 200)).toHaveLength(3)

  await anna.call(files.decide, { params: { id: authorizationId }, body: { authorize: false } })
  expect((await allow()).status).toBe(200)
  const entries = await server.core.db.read.all<{ action: string }>(
    "select action from audit_log where action like 'file_access%' and details like ? order by seq",
    [`%${file.filePath.slice(-36)}%`],
  )
  expect(entries.map(({ action }) => action.replace('file_access_', ''))).toEqual([
    'requested',
    'approved',
    'approved',
    'revoked',
    'approved',
  ])
})

test('a session without the identity key does not approve again with a former grant', async () => {
  const talk = await createTalk(server)
  const { anna, ben } = talk
  const file = await talk.sendFile(anna)
  const { authorizationId: id = '' } = await ben.call(files.request, { body: { filePath: file.filePath } })
  const grants = [await grantFor(server, id), await grantFor(server, id)]
  const decide = (body: object) => anna.request('PATCH', `/api/file-authorizations/${id}`, body)
  for (const grant of grants) {
    expect((await decide({ authorize: true, downloadLimit: 1, grant })).status).toBe(200)
    await download(ben, file.filePath)
  }
  for (const grant of grants)
    expect((await decide({ authorize: true, grant })).body).toMatchObject({ details: [{ path: 'grant' }] })
  await decide({ authorize: true, grant: await grantFor(server, id) })
  await decide({ authorize: false })
  for (const grant of grants)
    expect((await decide({ authorize: true, grant })).body).toMatchObject({ details: [{ path: 'grant' }] })
  expect((await download(ben, file.filePath)).status).toBe(403)
})

test('a grant that was sent with the file is refused once the access was revoked', async () => {
  const talk = await createTalk(server)
  const { anna, ben } = talk
  const bytes = randomFile(1000)
  const { filePath } = await registerFile(anna, bytes)
  const grant = makeGrant()
  await talk.send(anna, { ...fileFields(filePath, bytes.length), grant })
  const { authorizationId: id = '' } = await checkFile(ben, filePath)
  const decide = (body: object) => anna.request('PATCH', `/api/file-authorizations/${id}`, body)
  expect((await decide({ authorize: false })).status).toBe(200)
  const refusal = await decide({ authorize: true, grant })
  expect(refusal.body).toMatchObject({ details: [{ message: 'This grant was used before.' }] })
})
