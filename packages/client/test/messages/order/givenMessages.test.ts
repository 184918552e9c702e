import { limits } from '@privity/contract/limits'
import { fromBase64url, newId, toBase64url } from '@privity/e2ee'
import { beforeAll, expect, test } from 'vitest'
import { anna, ben, createDialogue, type Dialogue } from '../../support/orderModel/dialogue.ts'
import { damaged } from '../../support/orderModel/omissions.ts'
import { createPeople, type People } from '../../support/orderModel/people.ts'
import { hour, minute, second, textOf } from '../../support/orderModel/scene.ts'
import type { Stored } from '../../support/orderModel/server.ts'
import { watchCrypto } from '../../support/sendingModel/time.ts'
import type { ModelTab } from '../../support/orderModel/world.ts'

let people: People
beforeAll(async () => {
  people = await createPeople()
  return watchCrypto()
})

/** From now on a person gets what is set here, and no notices. */
function showOnly({ server }: Dialogue, person: 0 | 1) {
  const state: { shown: Stored[] } = { shown: [] }
  server.state.lie = (shown, to, where) =>
    to !== people[person].userId ? shown : where === 'notice' ? [] : state.shown
  return state
}

async function markedIn({ look }: Dialogue, tab: ModelTab): Promise<string[]> {
  return (await look(tab)).filter(({ isMissingBefore }) => isMissingBefore).map(textOf)
}

/** An altered copy, of which the server says that it expires in a minute. */
const alter = ({ time }: Dialogue, message: Stored): Stored => ({
  ...damaged(message),
  expiresAt: time.now() + minute,
})

test('a deletion hides no other message, whatever number the server gives it', async () => {
  const dialogue = await createDialogue(people)
  const { server, send, openBoth, list, time } = dialogue
  const [tab, page] = await openBoth()
  const state = showOnly(dialogue, 1)
  for (const text of ['One', 'Two', 'Three', 'Four']) await send(tab, text)
  const [one, two, three] = server.log.map((each) => ({ ...each })) as [Stored, Stored, Stored]
  await list(tab)
  void tab.delete(0)
  await time.pass(minute)
  const deletion = { ...(server.log[3] as Stored), seq: 2 }
  expect(deletion.deletion).toBeDefined()

  state.shown = [{ ...deletion, expiresAt: time.now() + 3 * second }]
  await dialogue.catchUp(page)
  await time.pass(minute)
  state.shown = [deletion]
  await dialogue.catchUp(page)
  state.shown = [alter(dialogue, two)]
  await dialogue.catchUp(page)
  await time.pass(5 * minute)
  state.shown = [one, three]
  expect(await markedIn(dialogue, page)).toEqual(['Three'])
})

test('a message that only an altered copy of it stood for is missing once that has expired', async () => {
  const dialogue = await createDialogue(people)
  const { server, send, openBoth, openTab, list, look, time } = dialogue
  const [tab, page] = await openBoth()
  const state = showOnly(dialogue, 1)
  for (const text of ['One', 'Two']) await send(tab, text)
  const [one, two] = server.log.map((each) => ({ ...each })) as [Stored, Stored]
  await list(tab)
  state.shown = [one]
  await look(page)
  state.shown = [alter(dialogue, two)]
  await dialogue.catchUp(page)
  await time.pass(5 * minute)

  // Under another envelope: no number tells of the second one.
  tab.die()
  const reloaded = await openTab(anna)
  await list(reloaded)
  await send(reloaded, 'Three')
  state.shown = [one, server.log[2] as Stored]
  expect(await markedIn(dialogue, page)).toEqual(['Three'])
})

test.each([
  ['own', 0],
  ['contact’s', 1],
] as const)('where messages live an hour, a date ahead does not hide an %s message', async (_whose, person) => {
  const dialogue = await createDialogue(people)
  const { server, send, openBoth, openTab, list, time } = dialogue
  server.state.retention = hour
  const [tab] = await openBoth()
  await list(tab)
  for (const text of ['One', 'Two', 'Three']) await send(tab, text)
  const [one, two, three] = server.log as [Stored, Stored, Stored]
  const state = showOnly(dialogue, person)
  const page = await openTab(person === 0 ? anna + 1 : 3)
  state.shown = [{ ...two, createdAt: time.now() + limits.clockTolerance + minute }]
  await dialogue.catchUp(page)
  state.shown = [one, three]
  expect(await markedIn(dialogue, page)).toEqual(['Three'])
})

test('a message of a server that is ahead is shown, although messages live shorter since', async () => {
  const dialogue = await createDialogue(people)
  const { server, send, openBoth, list } = dialogue
  const [tab, page] = await openBoth()
  server.state.ahead = 3 * hour
  await send(tab, 'One')
  server.state.retention = 2 * hour
  page.setClock(3 * hour)
  expect((await list(page)).map(textOf)).toEqual(['One'])
})

test('a copy with another signature takes no place of the message under its id', async () => {
  const dialogue = await createDialogue(people)
  const { server, send, openBoth, list, time } = dialogue
  const [tab, page] = await openBoth()
  const state = showOnly(dialogue, 1)
  for (const text of ['One', 'Two', 'Three']) await send(tab, text)
  const [one, two, three] = server.log.map((each) => ({ ...each })) as [Stored, Stored, Stored]
  state.shown = [one]
  await list(page)
  const bytes = fromBase64url(two.content)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  const copy = { ...two, content: toBase64url(bytes), expiresAt: time.now() + minute }
  for (const second of [two, copy]) {
    state.shown = [one, second]
    await dialogue.catchUp(page)
  }
  await time.pass(5 * minute)
  state.shown = [one, three]
  expect(await markedIn(dialogue, page)).toEqual(['Three'])
})

test('an altered copy that is shown for a moment does not show the message under its id', async () => {
  const dialogue = await createDialogue(people)
  const { server, send, openBoth, openTab, list, time } = dialogue
  const [tab] = await openBoth()
  const laptop = await openTab(anna + 1)
  const state = showOnly(dialogue, 0)
  for (const text of ['One', 'Two', 'Three']) await send(tab, text)
  const [one, two, three] = server.log.map((each) => ({ ...each })) as [Stored, Stored, Stored]
  state.shown = [one]
  await list(laptop)
  state.shown = [one, { ...two, expiresAt: time.now() + minute }]
  await dialogue.catchUp(laptop)
  const copy = { ...alter(dialogue, two), expiresAt: time.now() + 60 }
  void laptop.receive(server.withEnvelope(copy))
  await time.pass(5 * minute)
  state.shown = [one, three]
  expect(await markedIn(dialogue, laptop)).toEqual(['Three'])
})

test('a message that a tab in the background has fetched, and not shown, expires unnoticed', async () => {
  const dialogue = await createDialogue(people)
  const { server, send, openBoth, openTab, list, look, time } = dialogue
  const [tab, background] = await openBoth()
  const front = await openTab(ben)
  background.browser.network = 'offline'
  await send(tab, 'One')
  background.browser.network = 'well'
  async function reconnect(): Promise<void> {
    await dialogue.catchUp(background)
    await list(front)
  }
  await reconnect()
  await time.pass(13 * hour)
  await reconnect()
  await time.pass(10 * minute)
  await list(tab)
  await send(tab, 'Two')
  await reconnect()
  await time.pass((server.log[0] as Stored).expiresAt - time.now() + 6 * minute)
  await look(front)
  expect([...front.alarms, ...background.alarms]).toEqual([])
})

test('a message for which this browser has no key expires unnoticed', async () => {
  const [first, { seed: _, ...keyless }] = await createPeople()
  const dialogue = await createDialogue([first, keyless as People[1]])
  const { send, openBoth, list, look, time } = dialogue
  const [tab, page] = await openBoth()
  await send(tab, 'One')
  for (let i = 0; i < 13; i++) {
    await list(page)
    await time.pass(hour)
  }
  await list(tab)
  await send(tab, 'Two')
  expect((await look(page)).map(({ body }) => body.kind)).toEqual(['unreadable', 'text'])
  for (let i = 0; i < 12; i++) {
    await list(page)
    await time.pass(hour)
  }
  await look(page)
  expect(page.alarms).toEqual([])
})

test('altered copies that the page never shows hide nothing, however many come', async () => {
  const dialogue = await createDialogue(people)
  const { server, send, openBoth, list, time } = dialogue
  const [tab, page] = await openBoth()
  const state = showOnly(dialogue, 1)
  for (const text of ['One', 'Two', 'Three']) await send(tab, text)
  const [one, two, three] = server.log.map((each) => ({ ...each })) as [Stored, Stored, Stored]
  for (let i = 0; i < 4; i++) {
    state.shown = [{ ...alter(dialogue, two), id: newId(time.now()), expiresAt: time.now() + 19 * minute }]
    await dialogue.catchUp(page)
    state.shown = [one, three]
    await list(page)
    await time.pass(15 * minute)
  }
  expect(await markedIn(dialogue, page)).toEqual(['Three'])
})

test('an altered copy numbered before the page hides nothing where the whole lacks it', async () => {
  const dialogue = await createDialogue(people)
  const { server, send, openBoth, openTab, list, time } = dialogue
  const [tab, page] = await openBoth()
  for (let i = 0; i < limits.messagesPage + 5; i++) {
    const sending = tab.send(`Text ${i}`)
    await time.pass(2 * second)
    await sending
    if (i % 10 === 9) await list(page)
  }
  const state = { shown: (all: Stored[]) => all }
  server.state.lie = (all, to, where) => (to !== people[1].userId ? all : where === 'notice' ? [] : state.shown(all))
  await list(tab)
  tab.die()
  // Under an envelope of its own: no number tells of it.
  const other = await openTab(anna)
  await list(other)
  await send(other, 'Two')
  const two = { ...(server.log.at(-1) as Stored) }
  await list(other)
  other.die()
  const last = await openTab(anna)
  await list(last)
  await send(last, 'Three')
  const others = (all: Stored[]) => all.filter(({ id }) => id !== two.id)
  const copy = { ...alter(dialogue, two), seq: 2, expiresAt: two.expiresAt }
  state.shown = (all) => [copy, ...others(all).slice(1 - limits.messagesPage)]
  await dialogue.catchUp(page)
  state.shown = others
  expect(await markedIn(dialogue, page)).toEqual(['Three'])
})
