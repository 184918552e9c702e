import { messageLink } from '@privity/e2ee'
import { beforeAll, expect, test } from 'vitest'
import { CallError } from '../../../src/index.ts'
import { anna, ben, createDialogue } from '../../support/orderModel/dialogue.ts'
import { damaged } from '../../support/orderModel/omissions.ts'
import { createPeople, type People } from '../../support/orderModel/people.ts'
import { hour, minute, textOf } from '../../support/orderModel/scene.ts'
import type { Place, Stored } from '../../support/orderModel/server.ts'
import { watchCrypto } from '../../support/sendingModel/time.ts'

let people: People
beforeAll(async () => {
  people = await createPeople()
  return watchCrypto()
})

/** Anna writes three messages to Ben, who is shown the second one as `show` says, or not at all. */
async function createOmission(show: (hidden: Stored, place: Place) => Stored[]) {
  const dialogue = await createDialogue(people)
  const { server, send, lieToBen, openBoth, look } = dialogue
  const [one, other] = await openBoth()
  await send(one, 'Before')
  await look(other)
  lieToBen((shown, _to, place) => shown.flatMap((each) => (each.place === 1 ? show(each, place) : [each])))
  await send(one, 'Hidden')
  const hidden = server.log[1] as Stored
  await send(one, 'After')
  return { ...dialogue, one, other, hidden }
}

const marksOf = (messages: readonly { isMissingBefore?: true | undefined }[]) =>
  messages.map(({ isMissingBefore = false }) => isMissingBefore)

test.each([
  ['as it is', (hidden: Stored) => hidden],
  ['damaged', damaged],
  ['expired', (hidden: Stored) => ({ ...hidden, expiresAt: 1 })],
  ['damaged and expired', (hidden: Stored) => ({ ...damaged(hidden), expiresAt: 1 })],
])('a message that only the list of the whole conversation holds, %s, is missing', async (_how, change) => {
  const { other, look } = await createOmission((hidden, place) => (place === 'whole' ? [change(hidden)] : []))
  const messages = await look(other)
  expect(messages.map(textOf)).toEqual(['Before', 'After'])
  expect(marksOf(messages)).toEqual([false, true])
  expect(other.alarms).toEqual(['MESSAGE_MISSING'])
})

test('a message is missing, although the server refuses to list the whole conversation', async () => {
  const { other, time } = await createOmission((_hidden, place) => {
    if (place === 'whole') throw new CallError('UNAVAILABLE', { status: 503 })
    return []
  })
  await time.pass(minute)
  expect([...other.marks().values()]).toEqual([{ isMissingBefore: true }])
  expect(other.alarms).toEqual(['MESSAGE_MISSING'])
})

test('a message is missing, although the list of the whole conversation does not end', async () => {
  const { server, send, lieToBen, openBoth, look } = await createDialogue(people)
  const [one, other] = await openBoth()
  await send(one, 'Before')
  await look(other)
  let seq = 0
  const endless = () => Array.from({ length: 200 }, () => ({ ...(server.log[2] as Stored), seq: seq-- }))
  lieToBen((shown, _to, place) => (place === 'whole' ? endless() : shown.filter((each) => each.place !== 1)))
  for (const text of ['Hidden', 'After']) await send(one, text)
  expect(marksOf(await look(other))).toEqual([false, true])
  expect(seq).toBeGreaterThan(-2_000)
})

test('a message that the server calls expired although it lives is missing', async () => {
  const { other, look } = await createOmission((hidden) => [{ ...hidden, expiresAt: 1 }])
  expect(marksOf(await look(other))).toEqual([false, true])
  expect(other.alarms).toEqual(['MESSAGE_MISSING'])
})

test('a message that cannot be opened and is called expired is missing', async () => {
  const { other, look } = await createOmission((hidden) => [{ ...damaged(hidden), expiresAt: 1 }])
  expect(marksOf(await look(other))).toEqual([false, true])
})

test('a message that the check finds is shown by the page, and is not missing', async () => {
  const { other, time, hidden } = await createOmission((each, place) => (place === 'notice' ? [] : [each]))
  await time.pass(minute)
  expect(other.shown.get(hidden.id)).toMatchObject({ body: { text: 'Hidden' } })
  expect([other.alarms, ...other.marks()]).toEqual([[]])
})

test('a message that the page was shown and that its lists leave out later is missing', async () => {
  const { other, look } = await createOmission((hidden, place) => (place === 'notice' ? [hidden] : []))
  expect(marksOf(await look(other))).toEqual([false, true])
})

test('a message is missing, although the lists of the page repeat another in its place', async () => {
  const { server, send, lieToBen, openBoth, look } = await createDialogue(people)
  const [one, other] = await openBoth()
  for (const text of ['Before', 'Hidden', 'After']) await send(one, text)
  await look(other)
  lieToBen(([...shown], _to, place) => (place === 'page' ? Array(50).fill(server.log[2]) : shown))
  expect((await look(other)).map(textOf)).toEqual(['After'])
  expect(other.alarms).toEqual(['MESSAGE_MISSING'])
})

test('a message that the server expires early is missing', async () => {
  const { other, time, look } = await createOmission((hidden) => [
    { ...hidden, expiresAt: hidden.createdAt + 2 * minute },
  ])
  await time.pass(2 * minute)
  expect([...other.marks().values()]).toEqual([{ isMissingBefore: true }])
  expect((await look(other)).map(textOf)).toEqual(['Before', 'After'])
})

test('a message that the whole list numbers before the page is missing', async () => {
  const { server, send, lieToBen, openBoth, look } = await createDialogue(people)
  const [one, other] = await openBoth()
  for (let i = 0; i < 55; i++) await send(other, `Text ${i}`)
  await look(one)
  const hide = (each: Stored, place: Place) => (place === 'whole' ? [{ ...each, seq: 0.5 }] : [])
  lieToBen((shown, _to, place) => shown.flatMap((each) => (each.place === 55 ? hide(each, place) : [each])))
  await send(one, 'Hidden')
  await send(one, 'After')
  const messages = await look(other)
  expect(server.log).toHaveLength(57)
  expect(messages.filter(({ isMissingBefore }) => isMissingBefore).map(textOf)).toEqual(['After'])
})

test('older messages that the page has not loaded are not missing', async () => {
  const { server, send, openTab, look } = await createDialogue(people)
  const one = await openTab(anna)
  for (let i = 0; i < 60; i++) await send(one, `Text ${i}`)
  const other = await openTab(ben)
  expect(await look(other)).toHaveLength(50)
  await send(one, 'After')
  await look(other)
  expect(server.log).toHaveLength(61)
  expect([other.alarms, ...other.marks()]).toEqual([[]])
})

test('no message confirms one that its page has not shown', async () => {
  const { server, send, time, lieToBen, openBoth, list, look } = await createDialogue(people)
  const [one, other] = await openBoth()
  await send(one, 'Before')
  await look(other)
  lieToBen((shown, _to, place) => shown.filter((each) => place === 'whole' || each.place !== 1))
  await send(one, 'Hidden')
  await time.pass(6 * hour + minute)
  // The page asks for the whole conversation after this one.
  await send(other, 'Hello')
  await send(other, 'Answer')
  const answer = (await list(other)).find((each) => textOf(each) === 'Answer')
  const [before] = server.log as [Stored]
  expect(answer?.signed?.seen).toBe(await messageLink(before.content))
})

test.each(['page', 'one'] as const)('no message confirms one that only an unshown answer held (%s)', async (where) => {
  const { server, send, time, lieToBen, openBoth, list, look } = await createDialogue(people)
  const [one, other] = await openBoth()
  await send(one, 'Before')
  await look(other)
  let isGiven = false
  lieToBen((shown, _to, place) => {
    const isHere = !isGiven && place === where
    if (isHere) isGiven = true
    return shown.filter((each) => isHere || each.place !== 1)
  })
  await send(one, 'Hidden')
  const asking = where === 'one' ? other.find(2) : other.catchUp()
  await time.pass(minute)
  await asking
  expect(isGiven).toBe(true)
  await send(other, 'Answer')
  const answer = (await list(other)).find((each) => textOf(each) === 'Answer')
  const [before] = server.log as [Stored]
  expect(answer?.signed?.seen).toBe(await messageLink(before.content))
  await send(one, 'After')
  expect((await look(other)).find((each) => textOf(each) === 'After')).toMatchObject({ isMissingBefore: true })
})
