import { limits } from '@privity/contract/limits'
import { beforeAll, expect, test } from 'vitest'
import { anna, ben, createDialogue } from '../support/orderModel/dialogue.ts'
import { createPeople, type People, start } from '../support/orderModel/people.ts'
import { hour, minute } from '../support/orderModel/scene.ts'
import type { Stored } from '../support/orderModel/server.ts'
import { watchCrypto } from '../support/sendingModel/time.ts'

let people: People
beforeAll(async () => {
  people = await createPeople()
  return watchCrypto()
})

test('a message disappears in time, whatever the server says of its expiry', async () => {
  const run = await createDialogue(people)
  const { send } = run
  const [one, other] = [await run.openTab(anna), await run.openTab(ben)]
  await send(one, 'One')
  run.server.state.lie = () => run.server.log.map((each) => ({ ...each, expiresAt: each.expiresAt + 100 * hour }))
  const [message] = await run.list(other)
  expect(message?.expiresAt).toBe((message?.createdAt ?? 0) + limits.retention)
  await run.time.pass(limits.retention)
  expect(await run.list(other)).toEqual([])
})

test('a message lives twice its lifetime and 5 minutes at most, whatever the server dates it', async () => {
  const { server, send, openTab, list, time } = await createDialogue(people)
  server.state.lifetime = hour
  await send(await openTab(anna), 'One')
  const [stored] = server.log as [Stored]
  const later = 6 * hour
  server.state.lie = () => [{ ...stored, createdAt: stored.createdAt + later, expiresAt: stored.expiresAt + later }]
  await time.pass(hour - minute)
  const [message] = await list(await openTab(ben))
  expect(message?.expiresAt).toBeLessThanOrEqual((message?.signed?.sentAt ?? 0) + 2 * hour + limits.clockTolerance)
})

test('a message that a server 60 days ahead has stored lives for 24 hours from now at most', async () => {
  const { server, send, openTab, list, time } = await createDialogue(people)
  await send(await openTab(anna), 'One')
  const [stored] = server.log as [Stored]
  const [createdAt, expiresAt] = [stored.createdAt + 60 * 24 * hour, stored.expiresAt + 60 * 24 * hour]
  server.state.lie = () => [{ ...stored, createdAt, expiresAt }]
  const [message] = await list(await openTab(ben))
  expect(message?.expiresAt).toBeLessThanOrEqual(time.now() + limits.retention)
})

test('a message that was signed too long ago is not shown to a new browser either', async () => {
  const run = await createDialogue(people)
  const { send } = run
  const one = await run.openTab(anna)
  await send(one, 'One')
  const [stored] = run.server.log
  await run.time.pass(limits.retention + 10 * minute)
  const createdAt = run.time.now()
  const again = { ...(stored as Stored), createdAt, expiresAt: createdAt + limits.retention }
  run.server.state.lie = () => [again]
  expect(await run.list(await run.openTab(ben))).toEqual([])
})

test('a message that this browser has shown is not shown again, in no page of it', async () => {
  const run = await createDialogue(people)
  const { send } = run
  const [one, other] = [await run.openTab(anna), await run.openTab(ben)]
  await send(one, 'One')
  expect((await run.list(other)).length).toBe(1)
  await run.time.pass(25 * hour)
  const [stored] = run.server.log as [Stored]
  // As if it had been on its way for most of the time that messages live.
  const createdAt = stored.createdAt + 23 * hour
  run.server.state.lie = () => [{ ...stored, createdAt, expiresAt: createdAt + limits.retention }]
  expect(await run.list(other)).toEqual([])
  other.die()
  expect(await run.list(await run.openTab(ben))).toEqual([])
  // A browser that has never shown it shows the time at which it was written.
  const [message] = await run.list(await run.openTab(ben + 1))
  const delay = (message?.createdAt ?? 0) - (message?.signed?.sentAt ?? 0)
  expect(Math.round(delay / hour)).toBe(23)
})

test.each([-4, 0, 4])('a message that has just expired is not shown again (sender %d minutes ahead)', async (ahead) => {
  const { browsers, server, time, send, openBoth, openTab, list } = await createDialogue(people)
  for (const browser of browsers.slice(0, ben)) browser.ahead = ahead * minute
  const [one, other] = await openBoth()
  await send(one, 'One')
  const [message] = await list(other)
  const { createdAt, expiresAt } = server.log[0] as Stored
  await time.pass(expiresAt - time.now())
  const later = (message?.signed?.sentAt ?? 0) + limits.clockTolerance - createdAt
  server.state.lie = () =>
    server.log.map((each) => ({ ...each, createdAt: createdAt + later, expiresAt: expiresAt + later }))
  expect(await list(other)).toEqual([])
  expect(await list(await openTab(ben))).toEqual([])
})

test('a message disappears when its key is destroyed, whatever the server says of its expiry', async () => {
  const { server, time, send, openBoth, list } = await createDialogue(people)
  const [one, other] = await openBoth()
  const endsAt = start + limits.epochDuration
  await time.pass(endsAt - time.now() - 2 * minute)
  one.browser.network = 'sendsLost'
  await send(one, 'One')
  await time.pass(5 * minute)
  server.state.lie = (shown) => shown.map((each) => ({ ...each, expiresAt: each.createdAt + limits.retention }))
  one.browser.network = 'well'
  await time.pass(minute)
  const [message] = await list(other)
  expect(message?.createdAt).toBeGreaterThan(endsAt)
  expect(message?.expiresAt).toBe(endsAt + limits.retention)
})

test('a message that the server names as expired before it is shown can be shown later', async () => {
  const { server, send, openTab, list } = await createDialogue(people)
  const [one, other] = [await openTab(anna), await openTab(ben)]
  server.state.lie = () => server.log.map((each) => ({ ...each, expiresAt: start }))
  await send(one, 'One')
  expect(await list(other)).toEqual([])
  server.state.lie = (messages) => messages
  expect((await list(other)).length).toBe(1)
})
