import { connections } from '@privity/contract/connections'
import { limits } from '@privity/contract/limits'
import { messages } from '@privity/contract/messages'
import { expect, test, vi } from 'vitest'
import { createStage, type Person, texts } from '../support/stage.ts'

const [hour, , day] = limits.lifetimes
const minute = 60 * 1000

const livesFor = async ({ client }: Person, connectionId: string) =>
  (await client.messages.list(connectionId)).map(({ createdAt, expiresAt }) => expiresAt - createdAt)

test('both send with a lifetime that one of them has set, and both pages drop it when it is over', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.messages.send(connectionId, 'Before')
  await vi.waitFor(async () => expect(await texts(ben, connectionId)).toEqual(['Before']))
  const told = new Promise((resolve) => ben.client.on('lifetime_changed', resolve))
  expect(await anna.client.connections.setLifetime(connectionId, hour)).toBe(hour)
  expect(await told).toMatchObject({ connectionId, lifetime: hour, userId: anna.user.id })
  await anna.client.messages.send(connectionId, 'From Anna')
  await ben.client.messages.send(connectionId, 'From Ben')
  for (const person of [anna, ben])
    await vi.waitFor(async () => expect((await livesFor(person, connectionId)).toSorted()).toEqual([hour, hour, day]))
  await stage.advance(hour + 1)
  for (const person of [anna, ben]) expect(await texts(person, connectionId)).toEqual(['Before'])
})

test('a page that has not heard of the change seals the message again, and sends it once', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.messages.send(connectionId, 'One')
  await vi.waitFor(async () => expect(await texts(ben, connectionId)).toEqual(['One']))
  anna.network.swallows = true
  await ben.client.connections.setLifetime(connectionId, hour)
  await anna.client.messages.send(connectionId, 'Two')
  await vi.waitFor(async () => expect(await texts(ben, connectionId)).toEqual(['One', 'Two']))
  expect(await livesFor(ben, connectionId)).toEqual([day, hour])
})

test('a server that lets a message live longer than its sender is not believed', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.connections.setLifetime(connectionId, hour)
  await anna.client.messages.send(connectionId, 'Short')
  await vi.waitFor(async () => expect(await texts(ben, connectionId)).toEqual(['Short']))
  for (const table of ['messages', 'envelopes'])
    await stage.server.core.db.write((tx) => tx.run(`update ${table} set expires_at = created_at + ?`, [day]))
  const other = await stage.signIn(ben)
  expect(await livesFor(other, connectionId)).toEqual([hour])
  await stage.advance(hour + minute)
  for (const person of [ben, other, await stage.signIn(ben)]) expect(await texts(person, connectionId)).toEqual([])
  const stored = await ben.client.call(messages.list, { params: { id: connectionId }, query: {} })
  expect(stored).toHaveLength(1)
  expect(await ben.client.call(connections.list, {})).toMatchObject([{ lifetime: hour }])
})
