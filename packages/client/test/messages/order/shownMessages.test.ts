import type { Message } from '@privity/contract/messages'
import { createEnvelope, newId, sealMessage } from '@privity/e2ee'
import { beforeAll, expect, test } from 'vitest'
import { anna, ben, createDialogue, type Dialogue } from '../../support/orderModel/dialogue.ts'
import { createPeople, type Human, type People } from '../../support/orderModel/people.ts'
import { hour, minute, second, textOf } from '../../support/orderModel/scene.ts'
import type { Stored } from '../../support/orderModel/server.ts'
import { watchCrypto } from '../../support/sendingModel/time.ts'
import type { ModelTab } from '../../support/orderModel/world.ts'

let people: People
beforeAll(async () => {
  people = await createPeople()
  return watchCrypto()
})

/** A dialogue in which the server decides about Anna's second message: `show` returns what Ben gets of it. */
async function createHidden() {
  const dialogue = await createDialogue(people)
  const { server, send, openBoth, look } = dialogue
  const [tab, first] = await openBoth()
  await send(tab, 'One')
  await look(first)
  const state = { show: (_hidden: Stored): Stored[] => [] }
  server.state.lie = (shown, to) =>
    to === people[1].userId ? shown.flatMap((each) => (each.place === 1 ? state.show(each) : [each])) : shown
  await send(tab, 'Two')
  return { ...dialogue, state, tab, first, hidden: server.log[1] as Stored }
}

async function textsIn({ look }: Dialogue, tab: ModelTab): Promise<string[]> {
  return (await look(tab)).map(textOf)
}

/** A page fetches what has arrived, of which the server says that it expires in 2 seconds. */
async function catchUpShortly({ state, time }: Awaited<ReturnType<typeof createHidden>>, tab: ModelTab): Promise<void> {
  state.show = (hidden) => [{ ...hidden, expiresAt: time.now() + 2 * second }]
  const asking = tab.catchUp()
  await time.pass(second)
  await asking
  state.show = () => []
  await time.pass(minute)
}

test('a message that another tab has only fetched is shown', async () => {
  const scene = await createHidden()
  const other = await scene.openTab(ben)
  await catchUpShortly(scene, other)
  other.die()
  scene.state.show = (hidden) => [hidden]
  expect(await textsIn(scene, scene.first)).toEqual(['One', 'Two'])
})

test('a message that was only fetched before a reload is shown', async () => {
  const scene = await createHidden()
  await catchUpShortly(scene, scene.first)
  scene.first.die()
  scene.state.show = (hidden) => [hidden]
  expect(await textsIn(scene, await scene.openTab(ben))).toEqual(['One', 'Two'])
})

/** A message that `sender` has made under the id of another one, to be shown shortly. */
async function makeWithIdOf(
  { id, connectionId }: Pick<Message, 'id' | 'connectionId'>,
  { sender, recipient, now }: { sender: Human; recipient: Human; now: number },
) {
  const to = { ...recipient, identityKey: recipient.identity.publicKey }
  const made = await createEnvelope({ id: newId(now), connectionId, sender, recipient: to })
  const none = { previous: undefined, otherPrevious: undefined, seen: undefined }
  const context = { sentAt: now, n: 1, lifetime: 2 * minute, ...none }
  const body = { kind: 'text' as const, text: 'Hello' }
  const content = await sealMessage({ ...made, identity: sender.identity, messageId: id, body, context })
  const times = { createdAt: now, expiresAt: now + hour }
  return { senderId: sender.userId, connectionId, content, envelope: made.envelope, ...times }
}

test('a message is shown, although one of another conversation with its id has expired', async () => {
  const scene = await createHidden()
  const { state, server, time, first, hidden } = scene
  const own = server.withEnvelope(hidden)
  // Anna, for want of a third person, in another conversation with Ben.
  const place = { id: own.id, connectionId: '0198c0de-0000-7000-8000-0000000000c2' }
  const [sender, recipient] = people
  await first.receive({ ...own, ...(await makeWithIdOf(place, { sender, recipient, now: time.now() })) })
  expect([...first.shown.values()].map(textOf)).toContain('Hello')
  await time.pass(5 * minute)
  state.show = () => [hidden]
  expect(await textsIn(scene, first)).toEqual(['One', 'Two'])
})

test("an own message is shown, although the contact's under its id was shown until its end", async () => {
  const { server, time, tab, openTab, list } = await createHidden()
  const laptop = await openTab(anna + 1)
  await list(laptop)
  server.state.lie = (shown, to, where) => (where === 'notice' && to === people[0].userId ? [] : shown)
  const sending = tab.send('Own')
  await time.pass(second)
  await sending
  const own = server.withEnvelope(server.log[2] as Stored)
  const [recipient, sender] = people
  const theirs = { ...own, seq: 9, ...(await makeWithIdOf(own, { sender, recipient, now: time.now() })) }
  // Their message is opened while one before it waits for its envelope, and shown after the own one is opened.
  void laptop.receive({ ...theirs, id: newId(time.now()), envelope: undefined })
  const receiving = laptop.receive(theirs)
  await time.pass(3)
  await Promise.all([laptop.receive(own), time.pass(second), receiving])
  laptop.die()
  await time.pass(5 * minute)
  expect((await list(await openTab(anna + 1))).map(textOf)).toContain('Own')
})

test.each([30, 40])("the contact's message under its id, %i ms later, does not pass for an own one", async (wait) => {
  const dialogue = await createDialogue(people)
  const { server, time, openBoth, openTab, list, look, send } = dialogue
  const [tab] = await openBoth()
  const laptop = await openTab(anna + 1)
  let shown: (all: Stored[]) => Stored[] = (all) => all
  server.state.lie = (all, to, where) => (to !== people[0].userId ? all : where === 'notice' ? [] : shown(all))
  await send(tab, 'One')
  shown = () => server.log.slice(0, 1)
  await list(laptop)
  for (const text of ['Two', 'Three']) await send(tab, text)
  const [one, own, three] = server.log as [Stored, Stored, Stored]
  const [recipient, sender] = people
  const theirs = {
    ...server.withEnvelope(own),
    seq: 9,
    ...(await makeWithIdOf(own, { sender, recipient, now: time.now() })),
  }
  // The own one is opened while theirs waits for the one before it.
  shown = () => [{ ...own, expiresAt: time.now() + 3 * second }]
  const asking = laptop.catchUp()
  await time.pass(wait)
  void laptop.receive({ ...theirs, id: newId(time.now()), envelope: undefined, content: three.content })
  void laptop.receive(theirs)
  await time.pass(second)
  await asking
  await time.pass(5 * minute)
  shown = () => [one, three]
  expect((await look(laptop)).filter(({ isMissingBefore }) => isMissingBefore).map(textOf)).toEqual(['Three'])
})
