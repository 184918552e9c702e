import { beforeAll, expect, test } from 'vitest'
import { anna, ben, createDialogue } from '../../support/orderModel/dialogue.ts'
import { damaged } from '../../support/orderModel/omissions.ts'
import { createPeople, type People } from '../../support/orderModel/people.ts'
import { hour, minute, second } from '../../support/orderModel/scene.ts'
import type { Stored } from '../../support/orderModel/server.ts'
import { watchCrypto } from '../../support/sendingModel/time.ts'

let people: People
beforeAll(async () => {
  people = await createPeople()
  return watchCrypto()
})

test.each(['an altered copy of it', 'the message'])(
  'a message that ended before a later one names it is missing; given: %s',
  async (given) => {
    const dialogue = await createDialogue(people)
    const { server, send, openBoth, openTab, list, look, time } = dialogue
    const [tab, before] = await openBoth()
    await send(tab, 'One')
    await list(tab)
    for (const each of [tab, before]) each.die()
    const other = await openTab(anna)
    await list(other)
    await send(other, 'Two')
    await list(other)
    other.die()
    const two = { ...(server.log[1] as Stored), expiresAt: time.now() + 10 * second }
    let caughtUp: Stored[] = []
    server.state.lie = (all, to, where) =>
      to !== people[1].userId ? all : where === 'notice' ? [] : [...all.filter(({ id }) => id !== two.id), ...caughtUp]

    // Before the first list of the page, by which it could tell what came later.
    const page = await openTab(ben)
    if (given === 'the message') {
      caughtUp = [two]
      await dialogue.catchUp(page)
      caughtUp = []
    } else void page.receive(server.withEnvelope(damaged(two)))
    await time.pass(minute)
    await look(page)
    await time.pass(20 * minute)
    const last = await openTab(anna)
    await list(last)
    await send(last, 'Three')
    await look(page)
    expect(page.alarms).toEqual(['MESSAGE_MISSING'])
  },
)

test('a message without a key that was only fetched expires unnoticed', async () => {
  const [first, { seed: _, ...keyless }] = await createPeople()
  const dialogue = await createDialogue([first, keyless as People[1]])
  const { server, send, openBoth, list, look, time } = dialogue
  const [tab, page] = await openBoth()
  page.browser.network = 'offline'
  await send(tab, 'One')
  page.browser.network = 'well'
  await time.pass(13 * hour)
  await dialogue.catchUp(page)
  await time.pass(10 * minute)
  await list(tab)
  page.browser.network = 'offline'
  await send(tab, 'Two')
  await time.pass((server.log[0] as Stored).expiresAt - time.now() + 6 * minute)
  page.browser.network = 'well'
  await dialogue.catchUp(page)
  await look(page)
  expect(page.alarms).toEqual([])
})
