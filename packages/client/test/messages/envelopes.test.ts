import { destructionTime } from '@privity/contract/epochTimes'
import { messages } from '@privity/contract/messages'
import { newId } from '@privity/e2ee'
import { expect, test } from 'vitest'
import type { Keyring } from '../../src/keys/keyring.ts'
import { createEnvelopes } from '../../src/messages/envelopes.ts'
import type { Contacts } from '../../src/trust/types.ts'
import { createPeople } from '../support/orderModel/people.ts'
import { createStillClock } from '../support/stillClock.ts'
import { createStage, reaches, sentAll, texts, type Person } from '../support/stage.ts'

const minute = 60_000
const hour = 60 * minute

/** The network goes when a message is sealed, kept and on its way; resolves once it waits. */
async function sendWithoutNetwork(person: Person, connectionId: string, text: string): Promise<void> {
  const left = new Promise<void>((resolve) => {
    person.network.answers = (request) => {
      if (request !== 'POST /api/messages') return undefined
      resolve()
      return new Response(undefined, { status: 503 })
    }
  })
  await person.client.messages.send(connectionId, text)
  await left
  await reaches(person.client.outbox, ([item]) => item?.state === 'waiting')
}

test('a message that was sealed 13 hours ago is sealed again and arrives once', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await sendWithoutNetwork(anna, connectionId, 'Meant to arrive')
  await stage.advance(13 * hour)
  const codes: unknown[] = []
  anna.network.watches = async (request, answer) => {
    if (request === 'POST /api/messages') codes.push(((await answer.clone().json()) as { code?: string }).code)
  }
  anna.network.answers = undefined
  await stage.advance(60_000)
  await sentAll(anna)
  expect(codes).toEqual(['EPOCH_SUPERSEDED', undefined])
  expect(await texts(ben, connectionId)).toEqual(['Meant to arrive'])
})

test('a conversation that goes on for hours gets new envelopes before the server asks for one', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const codes: unknown[] = []
  anna.network.watches = async (request, answer) => {
    if (request === 'POST /api/messages') codes.push(((await answer.clone().json()) as { code?: string }).code)
  }
  for (const text of ['one', 'two', 'three', 'four']) {
    await anna.client.messages.send(connectionId, text)
    await sentAll(anna)
    await stage.advance(5 * hour)
  }
  const found = await anna.client.call(messages.list, { params: { id: connectionId }, query: {} })
  expect(codes).toEqual([undefined, undefined, undefined, undefined])
  expect(found.map(({ envelope }) => envelope !== undefined)).toEqual([true, false, true, false])
})

test('an envelope is used for half of the time that the server accepts it', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.connections.setLifetime(connectionId, hour)
  for (const text of ['one', 'two', 'three']) {
    await anna.client.messages.send(connectionId, text)
    await sentAll(anna)
    await stage.advance(8 * minute)
  }
  const found = await anna.client.call(messages.list, { params: { id: connectionId }, query: {} })
  expect(found.map(({ envelope }) => envelope !== undefined)).toEqual([true, false, true])
})

test('what is sealed to the last key of a contact who is away lives until that is destroyed', async () => {
  const [anna, ben] = await createPeople()
  const destroyed = destructionTime(ben.epoch)
  const held = { current: () => anna.epoch, heldUntil: () => destroyed + 48 * hour }
  const keyring = { userId: anna.userId, identity: anna.identity, ...held } as Partial<Keyring> as Keyring
  const { userId, identity, epoch } = ben
  const contact = { userId, keys: { identityKey: identity.publicKey, epoch }, changed: false }
  const contacts = { get: async () => contact } as unknown as Contacts
  const clock = createStillClock(destroyed - hour)
  const lifetimeOf = async () => 24 * hour
  const deps = { clock, keyring, contacts, retention: () => 24 * hour, lifetimeOf }
  expect((await createEnvelopes(deps).forSending(newId(0))).readableUntil).toBe(destroyed)
})
