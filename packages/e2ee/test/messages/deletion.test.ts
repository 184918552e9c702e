import { signedDeletionBytes } from '@privity/contract/signedBytes'
import { expect, test } from 'vitest'
import { fromBase64url, messageLink, newId, sealMessage, toBase64url } from '../../src/index.ts'
import { signDeletion, verifyDeletion } from '../../src/messages/deletion.ts'
import { verify } from '../../src/primitives/signatures.ts'
import { createConversation, createPerson, first, now } from '../support/people.ts'
import { refusal } from '../support/refusals.ts'

const [ada, ben] = [await createPerson(), await createPerson()]
const { envelope, conversationKey } = await createConversation(ada, ben)
const messageId = newId(now)
const body = { kind: 'text' as const, text: 'Sent by mistake' }
const sealing = { conversationKey, identity: ada.identity, messageId, envelope, body, context: first }
const link = await messageLink(await sealMessage(sealing))
const deleted = { userId: ada.userId, connectionId: envelope.connectionId, messageId, envelopeId: envelope.id, link }
const deletion = await signDeletion(ada.identity, deleted, 258)

test('the deletion of a message is verified by the key of its sender, and says its number', async () => {
  await expect(verifyDeletion(ada.identityKey, deleted, deletion)).resolves.toBe(258)
})

test('the server verifies the same bytes', async () => {
  const [number, signature] = [fromBase64url(deletion).slice(0, 4), fromBase64url(deletion).slice(4)]
  const bytes = signedDeletionBytes(ada.identityKey, { ...deleted, link: fromBase64url(link), number }, fromBase64url)
  await expect(verify(ada.identityKey, signature, bytes)).resolves.toBeUndefined()
})

test.each([
  ['user', { userId: ben.userId }],
  ['connection', { connectionId: newId(now) }],
  ['message', { messageId: newId(now) }],
  ['envelope', { envelopeId: newId(now) }],
  ['link', { link: toBase64url(new Uint8Array(20)) }],
])('a signature is not that of the deletion of another %s', async (_which, other) => {
  expect(await refusal(verifyDeletion(ada.identityKey, { ...deleted, ...other }, deletion))).toBe('BAD_SIGNATURE')
})

test('nobody changes the number in a deletion', async () => {
  const bytes = fromBase64url(deletion)
  bytes[3] = 3
  expect(await refusal(verifyDeletion(ada.identityKey, deleted, toBase64url(bytes)))).toBe('BAD_SIGNATURE')
})

test('nobody but the sender signs a deletion', async () => {
  const forged = await signDeletion(ben.identity, deleted, 258)
  expect(await refusal(verifyDeletion(ada.identityKey, deleted, forged))).toBe('BAD_SIGNATURE')
})
