import { afterEach, expect, test, vi } from 'vitest'
import type { AuthorizationRequest } from '@privity/contract/files'
import type { Message } from '@privity/contract/messages'
import type { DecryptedRequest } from '../../src/index.ts'
import { createStage, type Person, type Stage } from '../support/stage.ts'
import { bytesOf, ended, type FileMessage, share } from '../support/fileSharing.ts'

afterEach(() => vi.restoreAllMocks())

/** Anna has sent Ben two files, and Ben has asked for both. */
async function twoFiles(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  const shown = await share(anna, ben, connectionId, new File([bytesOf(100)], 'Holiday.jpg'))
  const other = await share(anna, ben, connectionId, new File([bytesOf(200)], 'Salaries.pdf'))
  const { authorizationId = '' } = await ben.client.files.request(shown)
  await ben.client.files.request(other)
  return { anna, ben, connectionId, shown, other, authorizationId }
}

const isPending = (request: string) => request === 'GET /api/file-authorizations/pending'

const requestFor = async ({ client }: Person, { filePath }: FileMessage) =>
  (await client.files.pending()).find((each) => each.filePath === filePath) as DecryptedRequest

const approvals = ({ network }: Person) => network.requests.filter(({ request }) => request.startsWith('PATCH '))

test('a file of another message is not approved under the name of the one that was clicked', async () => {
  await using stage = await createStage()
  const { anna, connectionId, shown, other, authorizationId } = await twoFiles(stage)
  anna.network.tampers = (request, answer) => {
    if (!request.startsWith(`GET /api/connections/${connectionId}/messages`)) return answer
    const swapped = (answer as Message[]).find(({ id }) => id === other.id)
    const { filePath, fileName, fileKey, fileSize } = swapped as Message
    return (answer as Message[]).map((each) =>
      each.id === shown.id ? { ...each, filePath, fileName, fileKey, fileSize } : each,
    )
  }
  const clicked = (await anna.client.messages.list(connectionId)).find(({ id }) => id === shown.id)
  if (clicked?.body.kind !== 'file') throw new Error('it is a file')
  expect(clicked.body.name).toBe('Holiday.jpg')
  await expect(anna.client.files.allow(clicked, authorizationId)).rejects.toMatchObject({ code: 'FILE_OTHER' })
  expect(approvals(anna)).toEqual([])
})

test('a message that is not one’s own grants nothing, even with the path and key of an own file', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, shown, authorizationId } = await twoFiles(stage)
  const own = (await anna.client.messages.list(connectionId)).find(({ id }) => id === shown.id)
  if (own === undefined) throw new Error('Anna sent it')
  const foreign = { ...own, mine: false }
  await expect(anna.client.files.allow(foreign, authorizationId)).rejects.toMatchObject({ code: 'FILE_OTHER' })
  expect(approvals(anna)).toEqual([])
  expect((await ben.client.files.status(shown.filePath)).status).toBe('pending')
})

/** Has Anna send a file under the path of another one, to which all is bound that is sealed for the owner. */
async function sendUnderPathOf(shown: FileMessage, anna: Person, connectionId: string) {
  anna.network.tampers = (request, answer) =>
    request === 'PUT /api/files' ? { ...(answer as object), filePath: shown.filePath } : answer
  await ended(anna, anna.client.files.send(connectionId, new File([bytesOf(300)], 'Patients.pdf')))
  const sent = anna.network.requests.findLast(({ request }) => request === 'POST /api/messages')
  return JSON.parse(sent?.body ?? '') as { fileKey: string; fileName: string }
}

/** Changes the request for this file in the list that the server gives. */
function tamperRequest(anna: Person, { filePath }: FileMessage, change: Partial<AuthorizationRequest>) {
  anna.network.tampers = (request, answer) =>
    isPending(request)
      ? (answer as AuthorizationRequest[]).map((each) => (each.filePath === filePath ? { ...each, ...change } : each))
      : answer
}

test('the key of another file is not approved in a request that shows the name of one', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, shown } = await twoFiles(stage)
  const { fileKey } = await sendUnderPathOf(shown, anna, connectionId)
  tamperRequest(anna, shown, { fileKey })
  const clicked = await requestFor(anna, shown)
  expect(clicked.name).toBe('Holiday.jpg')
  await expect(anna.client.files.decide(clicked, true)).rejects.toMatchObject({ code: 'FILE_OTHER' })
  expect(approvals(anna)).toEqual([])
  expect((await ben.client.files.status(shown.filePath)).status).toBe('pending')
})

test('a file is not approved in a request that shows the name of another one', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, shown } = await twoFiles(stage)
  const { fileName } = await sendUnderPathOf(shown, anna, connectionId)
  tamperRequest(anna, shown, { fileName })
  const clicked = await requestFor(anna, shown)
  expect(clicked.name).toBe('Patients.pdf')
  await expect(anna.client.files.decide(clicked, true)).rejects.toMatchObject({ code: 'FILE_OTHER' })
  expect(approvals(anna)).toEqual([])
  expect((await ben.client.files.status(shown.filePath)).status).toBe('pending')
})

test('a request that names a message of the contact, who knows the file, is not approved', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  // Ben commits to the hash that Anna's message shows to both.
  const sendWithKey = async (from: Person, to: Person) => {
    const { getRandomValues } = crypto
    const spy = vi.spyOn(crypto, 'getRandomValues').mockImplementation((into) => {
      if (!(into instanceof Uint8Array) || into.length !== 32) return getRandomValues.call(crypto, into) as typeof into
      // The file's key is the first of this length.
      spy.mockRestore()
      return into.fill(7) as typeof into
    })
    return share(from, to, connectionId, new File([bytesOf(100)], 'Holiday.jpg'))
  }
  const [own, theirs] = [await sendWithKey(anna, ben), await sendWithKey(ben, anna)]
  expect(theirs.body).toMatchObject({ keyHash: (own.body as { keyHash: string }).keyHash })
  await ben.client.files.request(own)
  anna.network.tampers = (request, answer) =>
    request.startsWith(`GET /api/connections/${connectionId}/messages`)
      ? (answer as Message[]).map((each) => (each.id === theirs.id ? { ...each, filePath: own.filePath } : each))
      : answer
  const clicked = { ...(await requestFor(anna, own)), seq: theirs.seq }
  await expect(anna.client.files.decide(clicked, true)).rejects.toMatchObject({ code: 'FILE_OTHER' })
  expect(approvals(anna)).toEqual([])
})

test('a request that names another message than the one of its file is not approved', async () => {
  await using stage = await createStage()
  const { anna, shown, other } = await twoFiles(stage)
  const clicked = await requestFor(anna, shown)
  const elsewhere = { ...clicked, seq: other.seq }
  await expect(anna.client.files.decide(elsewhere, true)).rejects.toMatchObject({ code: 'FILE_OTHER' })
  expect(approvals(anna)).toEqual([])
})

test('a request is not approved while its file message is missing', async () => {
  await using stage = await createStage()
  const { anna, connectionId, shown } = await twoFiles(stage)
  const clicked = await requestFor(anna, shown)
  anna.network.tampers = (request, answer) =>
    request.startsWith(`GET /api/connections/${connectionId}/messages`)
      ? (answer as Message[]).filter(({ id }) => id !== shown.id)
      : answer
  await expect(anna.client.files.decide(clicked, true)).rejects.toMatchObject({
    code: 'FILE_NOT_FOUND',
    sentence: 'This file no longer exists.',
  })
  expect(approvals(anna)).toEqual([])
  anna.network.tampers = undefined
  expect((await anna.client.files.decide(clicked, true)).recipient?.status).toBe('authorized')
})
