import { confirmation } from '@privity/contract/confirmation'
import { founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { founderSessions } from '@privity/contract/founder/session'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/server/caller.ts'
import { founderLogin, signInFounder } from '../../support/founder/founder.ts'
import { join } from '../../support/scenes/organization.ts'
import { at } from '../support/cluster.ts'
import { type Fleet, startFleet } from '../support/fleet.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterAll(() => fleet.close())

const each = [0, 1, 2] as const
const minute = 60_000
const day = 24 * 60 * minute

/** One browser that can call any process. */
function roam<T extends Caller>(caller: T): (n: number) => T {
  let current = 0
  const browser = at(caller, () => fleet.servers[current]?.url ?? '')
  return (n) => {
    current = n
    return browser
  }
}

const codeAt = async (browser: Caller) => (await browser.refused(session.getUser, {})).body.code
const founderCodeAt = async (browser: Caller) => (await browser.refused(founderSessions.listSessions, {})).body.code

test("a renewed member's token holds at every process, and the one before ends at all of them", async () => {
  const member = await join(fleet.servers[0], 'super_admin')
  const [browser, tab] = [roam(member), roam(member)]
  for (const n of each) await browser(n).call(session.getUser, {})
  await browser(1).call(confirmation.confirm, { body: { password: member.password } })
  for (const n of each) {
    await browser(n).call(session.getUser, {})
    await tab(n).call(session.getUser, {})
  }
  await fleet.advance(limits.tokenOverlap)
  for (const n of each) {
    await browser(n).call(session.getUser, {})
    expect(await codeAt(tab(n))).toBe('NOT_SIGNED_IN')
  }
})

test('a renewed founder token works at every process, and the previous one ends at all of them', async () => {
  const founder = await signInFounder(fleet.servers[0])
  const [browser, tab] = [roam(founder), roam(founder)]
  const { password } = (await founderLogin(fleet.servers[1], fleet.servers[1].visitor())).body
  await browser(1).call(founderSecondFactor.confirmSession, { body: { password } })
  for (const n of each) {
    await browser(n).call(founderSessions.listSessions, {})
    await tab(n).call(founderSessions.listSessions, {})
  }
  await fleet.advance(limits.tokenOverlap)
  for (const n of each) {
    await browser(n).call(founderSessions.listSessions, {})
    expect(await founderCodeAt(tab(n))).toBe('NOT_FOUNDER')
  }
})

test('a session that began while the clock was ahead ends by its idle limit at every process', async () => {
  fleet.clock.ahead = 365 * day
  const browser = roam(await fleet.servers[0].signUp())
  // Each process remembers the session from here on, and has a time of use that is not stored yet.
  fleet.clock.ahead += 1_000
  for (const n of each) await browser(n).call(session.getUser, {})
  fleet.clock.ahead = 0
  // A process may store such a time after another has corrected it, so the correction takes two minutes.
  for (let i = 0; i < 2; i++) await fleet.advance(minute)
  // A use at the others would correct what they remember.
  await browser(0).call(session.getUser, {})
  await fleet.advance(limits.sessionIdle)
  for (const n of each) expect(await codeAt(browser(n))).toBe('NOT_SIGNED_IN')
})

test("a member's session ends after 90 days at every process, whichever it was used at", async () => {
  const browser = roam(await fleet.servers[0].signUp())
  const ends = fleet.clock.now() + limits.sessionLife
  // A use is stored at most once a minute, so the stored time may be a minute old.
  const often = day - 10 * minute
  for (let index = 0; ends - fleet.clock.now() > often; index++) {
    await fleet.advance(often)
    await browser(index % 3).call(session.getUser, {})
    await fleet.advance(minute)
  }
  await fleet.advance(ends - fleet.clock.now() - 1)
  for (const n of each) await browser(n).call(session.getUser, {})
  await fleet.advance(1)
  for (const n of each) expect(await codeAt(browser(n))).toBe('NOT_SIGNED_IN')
})

test("the founder's session ends after 90 days at every process, whichever it was used at", async () => {
  const browser = roam(await signInFounder(fleet.servers[0]))
  const often = limits.founderSessionIdle - minute
  const ends = fleet.clock.now() + limits.sessionLife
  for (let index = 0; ends - fleet.clock.now() > often; index++) {
    fleet.clock.advance(often)
    await browser(index % 3).call(founderSessions.listSessions, {})
  }
  await fleet.advance(ends - fleet.clock.now() - 1)
  for (const n of each) await browser(n).call(founderSessions.listSessions, {})
  await fleet.advance(1)
  for (const n of each) expect(await founderCodeAt(browser(n))).toBe('NOT_FOUNDER')
})
