import { keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { type Message, messages as contract } from '@privity/contract/messages'
import { createEnvelope, type EpochKey, newId, sealMessage } from '@privity/e2ee'
import { expect, test } from 'vitest'
import { openIdentity } from '../../src/keys/ownIdentity.ts'
import { accountKeyOf } from '../support/accountKey.ts'
import {
  collect,
  connected,
  createStage,
  next,
  type Person,
  sentAll,
  type Stage,
  texts,
  textOf,
} from '../support/stage.ts'

/** A message that Ben has sealed and signed under the id of this one of Anna's, as a server would show it. */
async function sealUnder(stage: Stage, ben: Person, own: Message): Promise<Message> {
  const now = stage.server.clock.now()
  const { connectionId, senderId: userId, id: messageId } = own
  const signedKeys = await ben.client.call(keys.getOwn, { query: {} })
  const { identity } = await openIdentity(await accountKeyOf(ben), signedKeys)
  const epoch = signedKeys.epochs.at(-1) as EpochKey
  const recipient = await ben.client.call(keys.getContactKeys, { params: { id: connectionId } })
  const { envelope, conversationKey } = await createEnvelope({
    id: newId(now),
    connectionId,
    sender: { userId: ben.user.id, identity, epoch },
    recipient: { ...recipient, userId },
  })
  const body = { kind: 'text' as const, text: 'Theirs' }
  const context = {
    sentAt: now,
    n: 1,
    lifetime: limits.retention,
    previous: undefined,
    otherPrevious: undefined,
    seen: undefined,
  }
  const content = await sealMessage({ conversationKey, identity, messageId, envelope, body, context })
  return { ...own, senderId: ben.user.id, content, envelope, createdAt: now, expiresAt: now + limits.retention }
}

const stored = async ({ client }: Person, id: string) =>
  (await client.call(contract.list, { params: { id }, query: {} })) as [Message]

const showInLists = (person: Person, show: (messages: Message[]) => Message[]) =>
  void (person.network.tampers = (request, answer) =>
    /^GET .*\/messages(\?|$)/.test(request) ? show(answer as Message[]) : answer)

/** Anna has written to Ben, who has sealed a message under the id of hers. */
async function createSealed(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.messages.send(connectionId, 'Mine')
  await sentAll(anna)
  const [own] = await stored(anna, connectionId)
  return { anna, ben, connectionId, theirs: await sealUnder(stage, ben, own) }
}

test("a contact's message with the id of an own one does not replace it in lists", async () => {
  await using stage = await createStage()
  const { anna, connectionId, theirs } = await createSealed(stage)
  showInLists(anna, () => [theirs])
  expect(await texts(anna, connectionId)).toEqual([])
  showInLists(anna, (messages) => [theirs, ...messages])
  expect(await texts(anna, connectionId)).toEqual(['Mine'])
})

test('of two messages with one id, a new page shows the own one, whichever is listed first', async () => {
  await using stage = await createStage()
  const { anna, connectionId, theirs } = await createSealed(stage)
  for (const show of [(all: Message[]) => [theirs, ...all], (all: Message[]) => [...all, theirs]]) {
    const page = { ...anna, ...stage.tab(anna) }
    showInLists(page, show)
    await page.client.account.start()
    expect(await texts(page, connectionId)).toEqual(['Mine'])
  }
})

test("a notice of a contact's message with the id of an own one is ignored", async () => {
  await using stage = await createStage()
  const { anna, connectionId, theirs } = await createSealed(stage)
  const page = { ...anna, ...stage.tab(anna) }
  await page.client.account.start()
  await connected(page)
  expect(await texts(page, connectionId)).toEqual(['Mine'])
  const heard = collect(page, 'message')
  page.network.inject(JSON.stringify({ type: 'new_message', message: theirs }))
  await page.client.messages.send(connectionId, 'Later')
  await sentAll(page)
  expect(heard.map(textOf)).toEqual(['Later'])
})

test("an own message is shown, although a contact's message with its id came first", async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const heard = collect(anna, 'message')
  anna.network.watches = async (request) => {
    if (request !== 'POST /api/messages') return
    const [own] = await stored(ben, connectionId)
    const told = next(anna, 'message')
    const message = await sealUnder(stage, ben, own)
    anna.network.inject(JSON.stringify({ type: 'new_message', message }))
    await told
  }
  await anna.client.messages.send(connectionId, 'Mine')
  await sentAll(anna)
  expect(heard.map(textOf)).toEqual(['Theirs', 'Mine'])
  expect(await texts(anna, connectionId)).toEqual(['Mine'])
})
