import { limits } from '@privity/contract/limits'
import { beforeAll, expect, test } from 'vitest'
import { anna, ben, createDialogue } from '../../support/orderModel/dialogue.ts'
import { createPeople, type People } from '../../support/orderModel/people.ts'
import { hour, minute, textOf } from '../../support/orderModel/scene.ts'
import type { Stored } from '../../support/orderModel/server.ts'
import { watchCrypto } from '../../support/sendingModel/time.ts'

let people: People
beforeAll(async () => {
  people = await createPeople()
  return watchCrypto()
})

/** A dialogue in which Ben gets what is set as shown, and no notices. */
async function createScene() {
  const dialogue = await createDialogue(people)
  const state: { shown: Stored[] } = { shown: [] }
  dialogue.lieToBen((_shown, _to, where) => (where === 'notice' ? [] : state.shown))
  const { server, look } = dialogue
  return {
    ...dialogue,
    state,
    announce: (retention: number) => void (server.state.retention = retention),
    markedIn: async (tab: Parameters<typeof look>[0]) =>
      (await look(tab)).filter(({ isMissingBefore }) => isMissingBefore).map(textOf),
  }
}

test('a message from when messages lived longer is not missing once they live shorter', async () => {
  const { server, send, openTab, list, time, state, announce, markedIn, browsers } = await createScene()
  const tab = await openTab(anna)
  await send(tab, 'One')
  await time.pass(5 * hour)
  server.state.lifetime = hour
  tab.hearLifetime()
  await send(tab, 'Two')
  announce(2 * hour)
  Object.assign(browsers[ben] ?? {}, { ahead: -4 * minute })
  const page = await openTab(ben)
  // The server answered this list before it stored the second message.
  state.shown = server.log.slice(0, 1)
  expect(await list(page)).toEqual([])
  state.shown = server.log
  expect(await markedIn(page)).toEqual([])
  expect(page.alarms).toEqual([])
})

test('a shorter retention that the server announces for a moment hides no message', async () => {
  const { server, send, openBoth, list, state, announce, markedIn } = await createScene()
  const [tab, page] = await openBoth()
  for (const text of ['One', 'Two']) await send(tab, text)
  announce(2.5 * minute)
  state.shown = server.log.slice(1)
  expect((await list(page)).map(textOf)).toEqual(['Two'])
  announce(limits.retention)
  expect(await markedIn(page)).toEqual(['Two'])
})

test('a message that a short retention kept from the page is missing once messages live longer', async () => {
  const { server, send, openBoth, state, announce, catchUp, markedIn } = await createScene()
  const [tab, page] = await openBoth()
  await send(tab, 'One')
  announce(1)
  state.shown = server.log.slice(0, 1)
  await catchUp(page)
  announce(limits.retention)
  await send(tab, 'Two')
  state.shown = server.log.slice(1)
  expect(await markedIn(page)).toEqual(['Two'])
})
