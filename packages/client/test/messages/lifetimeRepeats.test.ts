import { connections } from '@privity/contract/connections'
import { limits } from '@privity/contract/limits'
import { type Message, messages } from '@privity/contract/messages'
import { expect, test, vi } from 'vitest'
import {
  collect,
  connected,
  createStage,
  next,
  type Person,
  reaches,
  reconnected,
  sentAll,
  type Stage,
  texts,
} from '../support/stage.ts'

const [hour, , day] = limits.lifetimes
const minute = 60 * 1000
const isSend = (request: string) => request === 'POST /api/messages'

test('a message that may have expired before its answer came is not sent a second time', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.connections.setLifetime(connectionId, hour)
  Object.assign(anna.network, { loses: isSend, swallows: true })
  await anna.client.messages.send(connectionId, 'Once')
  await vi.waitFor(async () => expect(await texts(ben, connectionId)).toEqual(['Once']))
  anna.network.offline = true
  await stage.advance(hour + minute)
  Object.assign(anna.network, { loses: () => false, swallows: false, offline: false })
  await reconnected(stage, anna)
  const [item] = await reaches(anna.client.outbox, ([each]) => each?.state !== 'waiting' && each?.state !== 'sending')
  expect(item).toMatchObject({ state: 'failed', code: 'ARRIVAL_UNKNOWN' })
  expect(await texts(await stage.signIn(ben), connectionId)).toEqual([])
})

/** A message of an hour, which a thief of the session sends again `after` it was sent. */
async function sendAnew(stage: Stage, after: number) {
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.connections.setLifetime(connectionId, hour)
  await anna.client.messages.send(connectionId, 'Short')
  await sentAll(anna)
  await expect.poll(() => texts(ben, connectionId)).toEqual(['Short'])
  const sent = anna.network.requests.find(({ request }) => isSend(request))
  await stage.advance(after)
  await anna.client.call(connections.setLifetime, { params: { id: connectionId }, body: { lifetime: day } })
  const body = { ...JSON.parse(sent?.body ?? ''), lifetime: day }
  await anna.client.call(messages.send, { body })
  return { ben, connectionId }
}

test('a message that has expired is not shown again where a thief of the session sends it anew', async () => {
  await using stage = await createStage()
  const { ben, connectionId } = await sendAnew(stage, hour + 6 * minute)
  expect(await texts(await stage.signIn(ben), connectionId)).toEqual([])
})

test('a message sent anew by a thief is not shown again by a browser that has shown it', async () => {
  await using stage = await createStage()
  const { ben, connectionId } = await sendAnew(stage, hour + minute)
  expect(await texts(ben, connectionId)).toEqual([])
  // Another one shows it: the clocks of sender and server may differ by as much.
  expect(await texts(await stage.signIn(ben), connectionId)).toEqual(['Short'])
})

test('a message sealed anew after a lost answer counts as sent behind 200 newer ones', async () => {
  await using stage = await createStage({ options: { rateLimits: { send: { requests: 1000, window: 1000 } } } })
  const { anna, ben, connectionId } = await stage.pair()
  Object.assign(anna.network, { loses: isSend, swallows: true })
  await anna.client.messages.send(connectionId, 'Once')
  await expect.poll(() => texts(ben, connectionId)).toEqual(['Once'])
  for (let n = 0; n < limits.maxMessagesPage; n++) await ben.client.messages.send(connectionId, `Newer ${n}`)
  await sentAll(ben)
  await anna.client.connections.setLifetime(connectionId, hour)
  Object.assign(anna.network, { loses: () => false, swallows: false })
  await stage.advance(minute)
  const settled = await reaches(anna.client.outbox, ([each]) => each?.state !== 'waiting' && each?.state !== 'sending')
  expect(settled).toEqual([])
})

/** A message of an hour, and a new browser of its recipient, to which the server shows it as `change` makes it. */
async function createLied(stage: Stage, change: (message: Message) => Message) {
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.connections.setLifetime(connectionId, hour)
  const heard = next(ben, 'message')
  await anna.client.messages.send(connectionId, 'Short')
  const writtenAt = (await heard).signed?.sentAt ?? 0
  // A new browser fetches unread messages by itself.
  await ben.client.messages.markRead(connectionId)
  const [stored] = (await ben.client.call(messages.list, { params: { id: connectionId }, query: {} })) as [Message]
  const fresh: Person = await stage.signIn(ben)
  await connected(fresh)
  fresh.network.tampers = (request, answer) =>
    request.includes('/messages') && Array.isArray(answer) ? (answer as Message[]).map(change) : answer
  return { fresh, connectionId, stored, writtenAt }
}

test('a message lives no longer where the server dates it ahead and does not say the time', async () => {
  await using stage = await createStage()
  const later = (message: Message) => ({
    ...message,
    createdAt: message.createdAt + day,
    expiresAt: message.expiresAt + day,
  })
  const { fresh, connectionId, stored, writtenAt } = await createLied(stage, later)
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  fresh.network.watches = (request) => {
    if (request !== 'GET /api/config') return undefined
    asked.resolve()
    return answered.promise
  }
  fresh.network.inject(JSON.stringify({ type: 'new_message', message: later(stored) }))
  await asked.promise
  const [message] = await fresh.client.messages.list(connectionId)
  answered.resolve()
  expect(message?.expiresAt).toBeLessThanOrEqual(writtenAt + 2 * hour + limits.clockTolerance)
})

test('a message that could not be opened at first expires in time once it can', async () => {
  await using stage = await createStage()
  let isWithheld = true
  const { fresh, connectionId } = await createLied(stage, ({ envelope, ...message }) => ({
    ...message,
    expiresAt: message.createdAt + day,
    ...(!isWithheld && { envelope }),
  }))
  const expired = collect(fresh, 'expired')
  const resynced = next(fresh, 'trust_changed')
  expect(await texts(fresh, connectionId)).not.toEqual(['Short'])
  isWithheld = false
  await fresh.client.trust.confirm(connectionId)
  await resynced
  const [message] = await fresh.client.messages.list(connectionId)
  expect(message?.body).toMatchObject({ text: 'Short' })
  await stage.advance(hour)
  await expect.poll(() => expired.flatMap(({ ids }) => ids)).toEqual([message?.id])
})
