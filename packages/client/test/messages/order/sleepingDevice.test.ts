import { beforeAll, expect, test } from 'vitest'
import { anna, ben, createDialogue } from '../../support/orderModel/dialogue.ts'
import { createPeople, type People } from '../../support/orderModel/people.ts'
import { hour, minute } from '../../support/orderModel/scene.ts'
import { watchCrypto } from '../../support/sendingModel/time.ts'

let people: People
beforeAll(async () => {
  people = await createPeople()
  return watchCrypto()
})

test('a server put right while a device slept has left nothing out once it has expired', async () => {
  const run = await createDialogue(people)
  const { server, time, send, sleep, wake } = run
  const [one, other] = [await run.openTab(anna), await run.openTab(ben)]
  server.state.ahead = one.browser.ahead = other.browser.ahead = 6 * hour
  await send(one, 'One')
  await run.list(other)
  sleep(ben)
  server.putRight()
  one.setClock(0)
  await time.pass(8 * hour)
  other.setClock(0)
  wake(ben)
  await run.list(other)
  await time.pass(10 * hour)
  await send(one, 'Two')
  await run.list(other)
  await time.pass(6 * hour + 10 * minute)
  for (let i = 0; i < 3; i++) expect((await run.list(other)).map(({ body }) => body)).toMatchObject([{ text: 'Two' }])
  expect([other.alarms, ...other.marks()]).toEqual([[]])
})

test('a device that slept while the server was put right begins a new envelope', async () => {
  const run = await createDialogue(people)
  const { server, time, send, list, sleep, wake } = run
  const one = await run.openTab(anna)
  server.state.ahead = one.browser.ahead = hour
  await send(one, 'One')
  sleep(anna)
  server.putRight()
  await time.pass(2 * hour)
  one.setClock(0)
  wake(anna)
  await send(one, 'Two')
  const [first, second] = (await list(one)).map(({ signed }) => signed)
  expect(second?.n).toBe(1)
  expect(second?.envelopeId).not.toBe(first?.envelopeId)
})
