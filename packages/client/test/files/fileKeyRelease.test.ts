import { hashFileKey } from '@privity/e2ee'
import { afterEach, expect, test, vi } from 'vitest'
import { createStage } from '../support/stage.ts'
import { bytesOf, download, type FileMessage, nextWithStatus, shared } from '../support/fileSharing.ts'
import { watchKeys, writingsOf } from '../support/keyWatch.ts'

afterEach(() => vi.restoreAllMocks())

test('the recipient gets the file key only with the authorization', async () => {
  const { secrets } = watchKeys()
  await using stage = await createStage()
  const { anna, ben, message } = await shared(stage)
  if (message.body?.kind !== 'file') throw new Error('it is a file')
  const { keyHash } = message.body
  const hashes = await Promise.all(secrets.map(hashFileKey))
  const fileKey = secrets[hashes.indexOf(keyHash)]
  if (fileKey === undefined) throw new Error('the sender has used the key')

  // No call of the recipient's uses the key …
  secrets.length = 0
  await ben.client.messages.list(message.connectionId)
  await ben.client.files.request(message)
  expect((await download(ben, message)).transfer.phase).toBe('failed')
  const elsewhere = await stage.signIn(ben)
  await elsewhere.client.messages.list(message.connectionId)
  expect((await download(elsewhere, message)).transfer.phase).toBe('failed')
  const used = await Promise.all(secrets.map(hashFileKey))
  expect(used.length).toBeGreaterThan(0)
  expect(used).not.toContain(keyHash)
  // … and no encoding of it occurs in what they know of the file.
  const told = Buffer.from(JSON.stringify(message))
  expect(writingsOf(fileKey).filter((form) => told.includes(form))).toEqual([])

  secrets.length = 0
  const [asked] = await anna.client.files.pending()
  const approved = nextWithStatus(ben, 'authorized')
  await anna.client.files.decide(asked as NonNullable<typeof asked>, true)
  await approved
  expect(Buffer.from((await download(ben, message)).saved[0]?.bytes ?? []).equals(bytesOf(2_500_000))).toBe(true)
  expect(await Promise.all(secrets.map(hashFileKey))).toContain(keyHash)
})

test('while sending to a contact is paused no key of a file is encrypted for them', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, message } = await shared(stage)
  const { authorizationId = '' } = await ben.client.files.request(message)
  const [pending] = await anna.client.files.pending()
  const [own] = await anna.client.messages.list(connectionId)
  await anna.client.trust.pause(connectionId)
  const { decide, allow } = anna.client.files
  await expect(decide(pending as NonNullable<typeof pending>, true)).rejects.toMatchObject({ code: 'PAUSED' })
  await expect(allow(own as FileMessage, authorizationId)).rejects.toMatchObject({ code: 'PAUSED' })
  expect((await ben.client.files.status(message.filePath)).status).toBe('pending')
  await anna.client.files.decide(pending as NonNullable<typeof pending>, false)
})
