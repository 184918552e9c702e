import { keys } from '@privity/contract/keys'
import { expect, test } from 'vitest'
import {
  collect,
  connected,
  createStage,
  type Person,
  reaches,
  reconnected,
  sentAll,
  type Stage,
  type Tab,
  textOf,
  texts,
} from '../../support/stage.ts'

const hour = 60 * 60 * 1000
const unknown = 'It is not known whether this message arrived.'

const sends = ({ network }: Tab) => network.requests.filter(({ request }) => request === 'POST /api/messages').length

const isWaiting = ([item]: readonly { state: string }[]) => item?.state === 'waiting'

function loseQuestion(request: string): undefined {
  if (request === 'POST /api/messages') throw new TypeError('fetch failed')
}

/** Waits until the message has left, and its answer was lost. */
async function leaves(tab: Tab): Promise<void> {
  await expect.poll(() => sends(tab)).toBeGreaterThan(0)
  await reaches(tab.client.outbox, isWaiting)
}

/** The same browser after a while, in which its session has ended. */
async function comeBack(stage: Stage, person: Person, after: number): Promise<Tab> {
  person.client.close()
  await stage.advance(after)
  const tab = stage.tab(person)
  await tab.client.account.signIn(person)
  return tab
}

test('a message that may have arrived, and is too old, says that it is not known', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  anna.network.loses = (request) => request === 'POST /api/messages'
  anna.network.swallows = true
  await anna.client.messages.send(connectionId, 'Once')
  await leaves(anna)
  const tab = await comeBack(stage, anna, 25 * hour)
  const [item] = await reaches(tab.client.outbox, ([first]) => first?.state === 'failed')
  expect(item).toMatchObject({ error: unknown, code: 'ARRIVAL_UNKNOWN', isFinal: true })
})

test('trying a message again that the server has delivered and forgotten delivers nothing', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const heard = collect(ben, 'message')
  anna.network.loses = (request) => request === 'POST /api/messages'
  anna.network.swallows = true
  const { id } = await anna.client.messages.send(connectionId, 'Once')
  await leaves(anna)
  await expect.poll(() => heard.map(textOf)).toEqual(['Once'])
  const tab = await comeBack(stage, anna, 25 * hour)
  await reaches(tab.client.outbox, ([first]) => first?.state === 'failed')
  await tab.client.messages.retry(id)
  expect(tab.client.outbox.get()).toMatchObject([{ state: 'failed', error: unknown }])
  expect(sends(tab)).toBe(0)
  expect(await (await stage.signIn(ben)).client.messages.list(connectionId)).toEqual([])
})

/** A message that waited for 23 hours before it left, and whose answer was lost. */
async function leaveLate(stage: Stage, lost: 'question' | 'answer') {
  const { anna, ben, connectionId } = await stage.pair()
  // Otherwise the answer that is lost may be the refusal of an epoch that has ended.
  for (const { client } of [anna, ben])
    await expect.poll(async () => (await client.call(keys.getOwn, { query: {} })).epochs.length).toBe(21)
  anna.network.offline = true
  // Until then it may leave from this tab.
  await reaches(anna.client.live, (state) => state !== 'connected')
  const { id } = await anna.client.messages.send(connectionId, 'Late')
  await reaches(anna.client.outbox, isWaiting)
  anna.client.close()
  await stage.advance(23 * hour)
  const between = stage.tab(anna)
  if (lost === 'answer') between.network.loses = (request) => request === 'POST /api/messages'
  else between.network.answers = loseQuestion
  between.network.swallows = true
  await between.client.account.signIn(anna)
  await leaves(between)
  const tab = await comeBack(stage, { ...anna, ...between }, 1.5 * hour)
  return { tab, ben, connectionId, id }
}

test('a message that is too old is gone from the outbox where the server still has it', async () => {
  await using stage = await createStage()
  const { tab, ben, connectionId } = await leaveLate(stage, 'answer')
  await sentAll(tab)
  expect(sends(tab)).toBe(0)
  expect((await (await stage.signIn(ben)).client.messages.list(connectionId)).map(textOf)).toEqual(['Late'])
})

test('a message that has not arrived, as the server would know, can be tried again under its id', async () => {
  await using stage = await createStage()
  const { tab, ben, connectionId, id } = await leaveLate(stage, 'question')
  const [item] = await reaches(tab.client.outbox, ([first]) => first?.state === 'failed')
  expect(item).toMatchObject({ id, error: unknown })
  expect(item?.isFinal).toBeUndefined()
  await connected(tab)
  await tab.client.messages.retry(id)
  await sentAll(tab)
  const found = await (await stage.signIn(ben)).client.messages.list(connectionId)
  expect(found.map((message) => [message.id, textOf(message)])).toEqual([[id, 'Late']])
})

test('a message that expired with the last keys of its recipient is not delivered again', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await expect.poll(async () => (await ben.client.call(keys.getOwn, { query: {} })).epochs.length).toBe(21)
  ben.client.close()
  // Two hours before the seed of Ben's last epoch is destroyed.
  for (let left = 190; left > 0; left -= 19) {
    await stage.advance(19 * hour)
    await anna.client.connections.list()
    await reconnected(stage, anna)
  }
  Object.assign(anna.network, { loses: (request: string) => request === 'POST /api/messages', swallows: true })
  await anna.client.messages.send(connectionId, 'Once')
  const back = await stage.signIn(ben)
  await expect.poll(() => texts(back, connectionId)).toEqual(['Once'])
  anna.network.offline = true
  await stage.advance(3 * hour)
  Object.assign(anna.network, { loses: () => false, swallows: false, offline: false })
  const sentBefore = sends(anna)
  await reconnected(stage, anna)
  const [item] = await reaches(anna.client.outbox, ([each]) => each?.state === 'failed')
  expect(item).toMatchObject({ error: unknown, isFinal: true })
  expect(sends(anna)).toBe(sentBefore)
  expect(await texts(await stage.signIn(ben), connectionId)).toEqual([])
})
