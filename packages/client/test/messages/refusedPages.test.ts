import { keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { messages } from '@privity/contract/messages'
import { createEnvelope, type EpochKey, newId, sealMessage } from '@privity/e2ee'
import { expect, test } from 'vitest'
import { openIdentity } from '../../src/keys/ownIdentity.ts'
import { accountKeyOf } from '../support/accountKey.ts'
import { collect, createStage, type Person, sentAll, type Stage, texts } from '../support/stage.ts'

const [hour] = limits.lifetimes
const count = limits.messagesPage
const old = ['One', 'Two', 'Three']

/** Ben has written three messages, which Anna's page shows. */
async function createRead(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  for (const text of old) await ben.client.messages.send(connectionId, text)
  await sentAll(ben)
  await expect.poll(() => texts(anna, connectionId)).toEqual(old)
  return { anna, ben, connectionId, alarms: collect(anna, 'alarm') }
}

/** Sends a page of messages that are signed as if they were from 1970. */
async function sendDated(stage: Stage, ben: Person, anna: Person, connectionId: string): Promise<void> {
  const { client, user } = ben
  const own = await client.call(keys.getOwn, { query: {} })
  const { identity } = await openIdentity(await accountKeyOf(ben), own)
  const now = stage.server.clock.now()
  const { envelope, conversationKey } = await createEnvelope({
    id: newId(now),
    connectionId,
    sender: { userId: user.id, identity, epoch: own.epochs[0] as EpochKey },
    recipient: { ...(await client.call(keys.getContactKeys, { params: { id: connectionId } })), userId: anna.user.id },
  })
  const lifetime = limits.retention
  for (let n = 1; n <= count; n++) {
    const body = { kind: 'text' as const, text: 'Dated' }
    const context = { sentAt: n, n, lifetime, previous: undefined, otherPrevious: undefined, seen: undefined }
    const content = await sealMessage({ conversationKey, identity, messageId: newId(now), envelope, body, context })
    await client.call(messages.send, { body: { connectionId, content, messageType: 'text', lifetime, envelope } })
  }
}

test('a page whose messages all expire on the way goes on with older ones, and none is missing', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, alarms } = await createRead(stage)
  await ben.client.connections.setLifetime(connectionId, hour)
  for (let i = 1; i <= count; i++) await ben.client.messages.send(connectionId, `Short ${i}`)
  await sentAll(ben)
  await stage.advance(hour - 2_000)
  anna.network.watches = async (request) => {
    if (!/^GET .*\/messages(\?|$)/.test(request)) return
    anna.network.watches = undefined
    await stage.advance(4_000)
  }
  expect(await texts(anna, connectionId)).toEqual(old)
  expect(alarms).toEqual([])
})

test('a contact who dates a page of messages wrongly hides no older ones', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, alarms } = await createRead(stage)
  await sendDated(stage, ben, anna, connectionId)
  expect(await texts(anna, connectionId)).toEqual(old)
  expect(alarms).toEqual([])
})
