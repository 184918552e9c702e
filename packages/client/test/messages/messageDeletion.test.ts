import { type Envelope, type Message, messages as contract } from '@privity/contract/messages'
import {
  createIdentity,
  type EpochKey,
  type Identity,
  importIdentity,
  messageLink,
  newId,
  randomBytes,
} from '@privity/e2ee'
import { signDeletion } from '@privity/e2ee/deletion'
import { expect, test } from 'vitest'
import { makeContent } from '../../../server/test/support/server/memberKeys.ts'
import type { DecryptedMessage } from '../../src/index.ts'
import { createDeletedMessages } from '../../src/messages/deletedMessages.ts'
import { createDeletions } from '../../src/messages/deletion.ts'
import type { OpenedEnvelope } from '../../src/messages/envelopes.ts'
import { firstPin } from '../../src/trust/pinChanges.ts'
import { accept, replaceKeys } from '../support/keyRotation.ts'
import {
  collect,
  connected,
  createStage,
  meetContacts,
  next,
  type Person,
  reconnected,
  sentAll,
  type Stage,
  texts,
} from '../support/stage.ts'

const wait = ({ client }: Person, connectionId: string) => client.messages.list(connectionId)

/** Anna has written to Ben, who has all of it. */
async function createTold(stage: Stage, sent = ['One', 'Two', 'Three']) {
  const { anna, ben, connectionId } = await stage.pair()
  const heard = collect(ben, 'message')
  for (const text of sent) await anna.client.messages.send(connectionId, text)
  await sentAll(anna)
  await expect.poll(() => heard.length).toBe(sent.length)
  const own = await wait(anna, connectionId)
  const alarms = [anna, ben].map((each) => collect(each, 'alarm'))
  return { anna, ben, connectionId, own, alarms }
}

/** Lets the server show a message in another form, in lists and as a notice. */
function showAs(person: Person, id: string, change: (message: Message) => Message): void {
  person.network.tampers = (request, answer) =>
    request.startsWith('GET /api/connections/') && Array.isArray(answer)
      ? (answer as Message[]).map((each) => (each.id === id ? change(each) : each))
      : answer
}

test('a deleted message is replaced on both sides, live', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, own } = await createTold(stage)
  const heard = [anna, ben].map((each) => next(each, 'deleted'))
  await anna.client.messages.delete(own[1] as DecryptedMessage)
  for (const deleted of await Promise.all(heard))
    expect(deleted).toMatchObject({ id: own[1]?.id, seq: 2, body: { kind: 'deleted' } })
  for (const each of [anna, ben]) expect(await texts(each, connectionId)).toEqual(['One', 'deleted', 'Three'])
})

test.each([0, 1, 2])('the deletion of message %i raises no alarm, in old pages and new', async (which) => {
  await using stage = await createStage()
  const { anna, ben, connectionId, own, alarms } = await createTold(stage)
  await anna.client.messages.delete(own[which] as DecryptedMessage)
  await anna.client.messages.send(connectionId, 'Four')
  await ben.client.messages.send(connectionId, 'Five')
  await Promise.all([sentAll(anna), sentAll(ben)])
  const fresh = await Promise.all([stage.signIn(anna), stage.signIn(ben)])
  for (const each of fresh) await meetContacts(each)
  const later = fresh.map((each) => collect(each, 'alarm'))
  for (const each of [anna, ben, ...fresh]) {
    const listed = await wait(each, connectionId)
    await stage.advance(15_000)
    expect(listed.filter(({ isMissingBefore, isLate }) => isMissingBefore || isLate)).toEqual([])
    expect(listed.filter(({ body }) => body.kind === 'deleted').map(({ id }) => id)).toEqual([own[which]?.id])
  }
  expect([...alarms, ...later].flat()).toEqual([])
})

test('a message called deleted without a signature of its sender is not shown as deleted', async () => {
  await using stage = await createStage()
  const { ben, connectionId, own, anna } = await createTold(stage)
  const { id = '' } = own[1] ?? {}
  const { signed } = own[1] as DecryptedMessage
  const thief = await importIdentity(randomBytes(32))
  const named = { userId: anna.user.id, connectionId, messageId: id, envelopeId: signed?.envelopeId ?? '' }
  const deletion = await signDeletion(thief, { ...named, link: signed?.link ?? '' }, signed?.n ?? 0)
  showAs(ben, id, (message) => ({ ...message, deletion }))
  const [, shown] = await wait(ben, connectionId)
  expect(shown?.body).toMatchObject({ kind: 'unreadable', reason: { code: 'DELETION_UNSIGNED' } })
})

test('the signature of another deletion does not delete a message', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, own } = await createTold(stage)
  await anna.client.messages.delete(own[0] as DecryptedMessage)
  const [deleted] = await ben.client.call(contract.list, { params: { id: connectionId }, query: {} })
  showAs(ben, own[1]?.id ?? '', (message) => ({ ...message, deletion: deleted?.deletion }))
  const [, shown] = await wait(ben, connectionId)
  expect(shown?.body).toMatchObject({ kind: 'unreadable', reason: { code: 'DELETION_UNSIGNED' } })
})

test("no key of the contact deletes a message of theirs in the member's name", async () => {
  const [anna, ben] = [newId(0), newId(0)]
  const [own, theirs] = await Promise.all([anna, ben].map(async () => importIdentity((await createIdentity()).seed)))
  const [connectionId, envelopeId] = [newId(0), newId(0)]
  const { content, messageId } = makeContent(envelopeId)
  const deletions = createDeletions({
    call: () => Promise.reject(new Error('not called')),
    keyring: {
      userId: anna,
      identity: own as Identity,
      current: () => ({ n: 1 }) as EpochKey,
      identityKeyAt: () => '',
    },
    contacts: { accepted: () => ({ userId: ben, pin: firstPin(theirs?.publicKey ?? '', 0) }) },
  })
  async function verifyAs(userId: string): Promise<void> {
    const link = await messageLink(content)
    const deletion = await signDeletion(theirs as Identity, { userId, connectionId, messageId, envelopeId, link }, 1)
    const message = { id: messageId, connectionId, senderId: userId, content } as Message
    const envelope = { id: envelopeId, connectionId, from: ben, to: anna } as Envelope
    const opened = { envelope, senderIdentityKey: theirs?.publicKey } as OpenedEnvelope
    await deletions.verify(message, deletion, opened)
  }
  await verifyAs(ben)
  await expect(verifyAs(anna)).rejects.toMatchObject({ code: 'WRONG_BINDING' })
})

test('the deletion of a message with the id of another one does not delete that one', () => {
  const deletedMessages = createDeletedMessages({ now: () => 0 })
  const deleted = { id: 'message', connectionId: 'connection', senderId: 'ben', expiresAt: 1 } as DecryptedMessage
  deletedMessages.record(deleted)
  expect(deletedMessages.find(deleted)).toBe(deleted)
  expect(deletedMessages.find({ ...deleted, senderId: 'anna' })).toBeUndefined()
})

test('a page that knows of a deletion shows the message no more, whatever it is given', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, own } = await createTold(stage)
  const [before] = await ben.client.call(contract.list, { params: { id: connectionId }, query: {} })
  const heard = next(ben, 'deleted')
  await anna.client.messages.delete(own[0] as DecryptedMessage)
  await heard
  showAs(ben, own[0]?.id ?? '', () => before as Message)
  expect(await texts(ben, connectionId)).toEqual(['deleted', 'Two', 'Three'])
})

test('a deletion that the server expires early does not bring the message back', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, own } = await createTold(stage)
  const [before] = await ben.client.call(contract.list, { params: { id: connectionId }, query: {} })
  const id = own[0]?.id ?? ''
  await anna.client.messages.delete(own[0] as DecryptedMessage)
  showAs(ben, id, (deleted) => ({ ...deleted, expiresAt: ben.client.now() + 1_000 }))
  expect(await texts(ben, connectionId)).toEqual(['deleted', 'Two', 'Three'])
  await stage.advance(2_000)
  showAs(ben, id, () => before as Message)
  expect(await texts(ben, connectionId)).toEqual(['Two', 'Three'])
})

test('a list that is being opened while a deletion comes does not bring the message back', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, own } = await createTold(stage, ['One'])
  const elsewhere = await stage.signIn(anna)
  await meetContacts(elsewhere)
  await elsewhere.client.messages.send(connectionId, 'Two')
  await sentAll(elsewhere)
  // A new browser fetches unread messages by itself, before the test can change the answer.
  await ben.client.messages.markRead(connectionId)
  const fresh = await stage.signIn(ben)
  await Promise.all([meetContacts(fresh), connected(fresh)])
  const heard = next(fresh, 'deleted')
  // The second message is opened only once its envelope has been asked for.
  fresh.network.tampers = (_request, answer) =>
    Array.isArray(answer) && answer.length === 2 ? [answer[0], { ...answer[1], envelope: undefined }] : answer
  fresh.network.watches = async (request) => {
    if (!request.includes('after=')) return
    await anna.client.messages.delete(own[0] as DecryptedMessage)
    await heard
  }
  expect(await texts(fresh, connectionId)).toEqual(['deleted', 'Two'])
})

test('a notice of a message that comes after a list with its deletion does not bring it back', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, own } = await createTold(stage, ['One'])
  const [message] = await ben.client.call(contract.list, { params: { id: connectionId }, query: {} })
  await anna.client.messages.delete(own[0] as DecryptedMessage)
  const fresh = await stage.signIn(ben)
  await Promise.all([meetContacts(fresh), connected(fresh)])
  expect(await texts(fresh, connectionId)).toEqual(['deleted'])
  const [brought, deleted] = [collect(fresh, 'message'), next(fresh, 'deleted')]
  fresh.network.inject(JSON.stringify({ type: 'new_message', message }))
  expect((await deleted).id).toBe(own[0]?.id)
  expect(brought).toEqual([])
})

test('a message whose notice comes twice is emitted once', async () => {
  await using stage = await createStage()
  const { ben, connectionId } = await createTold(stage, ['One'])
  const [message] = await ben.client.call(contract.list, { params: { id: connectionId }, query: {} })
  const brought = collect(ben, 'message')
  ben.network.inject(JSON.stringify({ type: 'new_message', message }))
  await ben.client.messages.send(connectionId, 'Later')
  await sentAll(ben)
  expect(brought.map(({ id }) => id)).not.toContain(message?.id)
})

test('a notice of a deletion that nobody signed changes nothing', async () => {
  await using stage = await createStage()
  const { ben, connectionId, own } = await createTold(stage)
  const [message] = await ben.client.call(contract.list, { params: { id: connectionId }, query: {} })
  const heard = collect(ben, 'deleted')
  const forged = { ...message, deletion: Buffer.alloc(68).toString('base64url') }
  ben.network.inject(JSON.stringify({ type: 'message_deleted', message: forged }))
  await ben.client.messages.send(connectionId, 'Later')
  await sentAll(ben)
  expect(heard).toEqual([])
  expect((await wait(ben, connectionId))[0]).toMatchObject({ id: own[0]?.id, body: { text: 'One' } })
})

test('a deletion is verified by the key of the message, and by the one accepted since', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, own } = await createTold(stage)
  await anna.client.messages.delete(own[0] as DecryptedMessage)
  await replaceKeys(anna)
  await accept(ben, connectionId)
  await anna.client.messages.delete(own[1] as DecryptedMessage)
  for (const each of [anna, ben]) expect(await texts(each, connectionId)).toEqual(['deleted', 'deleted', 'Three'])
})

test('a deletion is verified by a key that was accepted since, and replaced again', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, own } = await createTold(stage)
  await replaceKeys(anna)
  await accept(ben, connectionId)
  await anna.client.messages.delete(own[0] as DecryptedMessage)
  await replaceKeys(anna, 'yet another new password')
  await accept(ben, connectionId)
  const fresh = await Promise.all([stage.signIn(anna), stage.signIn(ben)])
  for (const each of fresh) expect(await texts(each, connectionId)).toEqual(['deleted', 'Two', 'Three'])
})

test('deleting fails without a connection, and nothing is kept for later', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, own } = await createTold(stage)
  anna.network.offline = true
  await expect(anna.client.messages.delete(own[0] as DecryptedMessage)).rejects.toMatchObject({ code: 'OFFLINE' })
  anna.network.offline = false
  await reconnected(stage, anna)
  for (const each of [anna, ben]) expect(await texts(each, connectionId)).toEqual(['One', 'Two', 'Three'])
})

test('deleting twice, in two browsers, is no error', async () => {
  await using stage = await createStage()
  const { anna, connectionId, own } = await createTold(stage)
  const elsewhere = await stage.signIn(anna)
  await connected(elsewhere)
  for (const each of [anna, elsewhere]) await each.client.messages.delete(own[0] as DecryptedMessage)
  expect(await texts(elsewhere, connectionId)).toEqual(['deleted', 'Two', 'Three'])
})

test('a message deleted before its answer came leaves the outbox and stays deleted', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await createTold(stage)
  const elsewhere = await stage.signIn(anna)
  await connected(elsewhere)
  anna.network.deaf = true
  anna.network.loses = (request) => request === 'POST /api/messages'
  const heard = next(elsewhere, 'message')
  await anna.client.messages.send(connectionId, 'Regretted')
  await elsewhere.client.messages.delete(await heard)
  anna.network.loses = () => false
  anna.network.deaf = false
  await reconnected(stage, anna)
  await sentAll(anna)
  for (const each of [anna, ben]) expect((await texts(each, connectionId)).at(-1)).toBe('deleted')
})
