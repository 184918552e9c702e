import { files } from '@privity/contract/files'
import { messages } from '@privity/contract/messages'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import {
  checkFile,
  countRows,
  createTalk,
  download,
  fileFields,
  makeGrant,
  registerFile,
  randomFile,
  type Talk,
} from '../../support/scenes/conversation.ts'

let server: TestServer
let talk: Talk
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  talk = await createTalk(server)
})

/** The body of a file message that approves the file. */
async function approvedFile(grant = makeGrant()) {
  const bytes = randomFile(1000)
  const { filePath } = await registerFile(talk.anna, bytes)
  return { filePath, bytes, body: talk.text(talk.anna, { ...fileFields(filePath, bytes.length), grant }) }
}

const approvals = (filePath: string) =>
  server.core.db.read.all(
    `select action, actor_id, target_id, details from audit_log where action like 'file_access%' and details like ?`,
    [`%${filePath.slice(-36)}%`],
  )

test('a file sent with its key is authorized for the recipient, three times', async () => {
  const grant = makeGrant()
  const { filePath, bytes, body } = await approvedFile(grant)
  await talk.anna.call(messages.send, { body })
  const authorizationId = expect.any(String)
  const status = await checkFile(talk.ben, filePath)
  expect(status).toEqual({ status: 'authorized', authorizationId, downloadsLeft: 3, grant })
  for (let i = 0; i < 3; i++) expect((await download(talk.ben, filePath)).bytes).toEqual(bytes)
  expect((await download(talk.ben, filePath)).status).toBe(403)
})

test('the audit log has one approval, by the sender, for the recipient', async () => {
  const { filePath, body } = await approvedFile()
  await talk.anna.call(messages.send, { body })
  expect(await approvals(filePath)).toEqual([
    {
      action: 'file_access_approved',
      actor_id: talk.anna.user.id,
      target_id: talk.ben.user.id,
      details: JSON.stringify({ fileId: filePath.slice(-36), downloads: 3 }),
    },
  ])
})

test('the same message sent again approves nothing more', async () => {
  const { filePath, body } = await approvedFile()
  await talk.anna.call(messages.send, { body })
  await download(talk.ben, filePath)
  expect((await talk.anna.request('POST', '/api/messages', body)).status).toBe(200)
  expect(await checkFile(talk.ben, filePath)).toMatchObject({ downloadsLeft: 2 })
  expect(await approvals(filePath)).toHaveLength(1)
})

test('the sender can revoke it, and the key is gone', async () => {
  const { filePath, body } = await approvedFile()
  await talk.anna.call(messages.send, { body })
  const { recipient } = await checkFile(talk.anna, filePath)
  expect(recipient).toMatchObject({ status: 'authorized', downloadsLeft: 3 })
  await talk.anna.call(files.decide, { params: { id: recipient?.authorizationId ?? '' }, body: { authorize: false } })
  expect(await checkFile(talk.ben, filePath)).toEqual({ status: 'denied', authorizationId: recipient?.authorizationId })
  expect((await download(talk.ben, filePath)).status).toBe(403)
})

test('a key for an epoch that is not in use refuses the message, and nothing is stored', async () => {
  const { body } = await approvedFile(makeGrant(7))
  const before = await countRows(server)
  expect(await talk.anna.refused(messages.send, { body })).toMatchObject({ body: { code: 'EPOCH_SUPERSEDED' } })
  expect(await countRows(server)).toEqual(before)
})

test('a text message cannot carry a key', async () => {
  const body = talk.text(talk.anna, { grant: makeGrant() })
  expect(await talk.anna.refused(messages.send, { body })).toMatchObject({ body: { code: 'INVALID_INPUT' } })
})
