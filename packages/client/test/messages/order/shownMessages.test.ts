import { createEnvelope, newId, sealMessage } from '@privity/e2ee'
import { beforeAll, expect, test } from 'vitest'
import { ben, createDialogue, type Dialogue } from '../../support/orderModel/dialogue.ts'
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

test('a message is shown, although one of another conversation with its id has expired', async () => {
  const scene = await createHidden()
  const { state, time, first, hidden } = scene
  // Anna, for want of a third person, in another conversation with Ben.
  const connectionId = '0198c0de-0000-7000-8000-0000000000c2'
  const [sender, recipient] = people
  const id = newId(time.now())
  const made = await createEnvelope({
    id,
    connectionId,
    sender,
    recipient: { ...recipient, identityKey: recipient.identity.publicKey },
  })
  const none = { previous: undefined, otherPrevious: undefined, seen: undefined }
  const context = { sentAt: time.now(), n: 1, lifetime: 2 * second, ...none }
  const body = { kind: 'text' as const, text: 'Hello' }
  const content = await sealMessage({ ...made, identity: sender.identity, messageId: hidden.id, body, context })
  const { place: _place, storedAt: _storedAt, lifetime: _lifetime, ...stored } = hidden
  const times = { createdAt: time.now(), expiresAt: time.now() + hour }
  await first.receive({ ...stored, ...times, connectionId, content, envelope: made.envelope })
  expect([...first.shown.values()].map(textOf)).toContain('Hello')
  await time.pass(minute)
  state.show = () => [hidden]
  expect(await textsIn(scene, first)).toEqual(['One', 'Two'])
})
