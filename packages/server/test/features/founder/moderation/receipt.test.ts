import { moderation } from '@privity/contract/founder/moderation'
import { messages } from '@privity/contract/messages'
import { readSealedMessage } from '@privity/contract/sealedMessage'
import { expect, test } from 'vitest'
import { createTestServer } from '../../../support/server/testServer.ts'
import { signInFounder } from '../../../support/founder/founder.ts'
import { random } from '../../../support/server/memberKeys.ts'
import { replaceKeys } from '../../../support/scenes/keyReplacement.ts'
import { createTalk, type Talk } from '../../../support/scenes/conversation.ts'

const commitmentOf = (content: string) =>
  Buffer.from(readSealedMessage(Buffer.from(content, 'base64url'))?.commitment ?? []).toString('base64url')

async function claimOf({ anna, ben, send }: Talk) {
  const { id: messageId, createdAt, receipt, content } = await send(anna)
  const commitment = commitmentOf(content)
  const identityKey = anna.keys?.identityKey ?? ''
  return { commitment, from: anna.user.id, to: ben.user.id, messageId, createdAt, identityKey, receipt }
}

test('a receipt names the identity key in force when the message was sent, also after new keys', async () => {
  await using server = await createTestServer()
  const talk = await createTalk(server)
  const claim = await claimOf(talk)
  const { identityKey } = await replaceKeys(talk.anna)
  const [listed] = await talk.ben.call(messages.list, { params: { id: talk.connection.id }, query: {} })
  expect(listed?.receipt).toBe(claim.receipt)
  const founder = await signInFounder(server)
  const check = async (key: string) =>
    (await founder.call(moderation.checkReceipt, { body: { ...claim, identityKey: key } })).valid
  expect([await check(claim.identityKey), await check(identityKey)]).toEqual([true, false])
})

test('a message of a release that verified no signature has a receipt that no key fits', async () => {
  await using server = await createTestServer()
  const talk = await createTalk(server)
  const claim = await claimOf(talk)
  await server.core.db.write((tx) => tx.run('update messages set identity_key = null'))
  const [listed] = await talk.ben.call(messages.list, { params: { id: talk.connection.id }, query: {} })
  const founder = await signInFounder(server)
  const body = { ...claim, receipt: listed?.receipt ?? '' }
  expect(await founder.call(moderation.checkReceipt, { body })).toEqual({ valid: false })
})

test('a receipt is the server’s own, over exactly these facts', async () => {
  await using server = await createTestServer()
  let founder = await signInFounder(server)
  const talk = await createTalk(server)
  const { anna, ben } = talk
  const claim = await claimOf(talk)
  const check = async (changes = {}) =>
    (await founder.call(moderation.checkReceipt, { body: { ...claim, ...changes } })).valid
  expect(await check()).toBe(true)
  for (const changes of [
    { commitment: random(32) },
    { from: ben.user.id, to: anna.user.id },
    { from: '01890000-0000-7000-8000-000000000000' },
    { to: '01890000-0000-7000-8000-000000000000' },
    { messageId: '01890000-0000-7000-8000-000000000000' },
    { createdAt: claim.createdAt + 1 },
    { identityKey: random(32) },
    { receipt: random(32) },
  ])
    expect(await check(changes), JSON.stringify(changes)).toBe(false)
  // The receipt outlives the message, as a report requires.
  server.clock.advance(25 * 60 * 60_000)
  founder = await signInFounder(server)
  expect(await check()).toBe(true)
})
