import { auditLogs } from '@privity/contract/auditLogs'
import { incidents } from '@privity/contract/founder/incidents'
import { moderation } from '@privity/contract/founder/moderation'
import { monitoring } from '@privity/contract/founder/monitoring'
import { limits } from '@privity/contract/limits'
import { messages } from '@privity/contract/messages'
import { session } from '@privity/contract/session'
import { support } from '@privity/contract/support'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { jobs } from '../../../src/features.ts'
import { choose, listed, raise, toEmail } from '../../support/founder/alerts.ts'
import { floodOf } from '../../support/founder/moderation.ts'
import { join } from '../../support/scenes/organization.ts'
import { createTalk } from '../../support/scenes/conversation.ts'
import { failSignIn } from '../../support/founder/incidents.ts'
import { type Fleet, metricsToken, startFleet } from '../support/fleet.ts'

const minute = 60_000
let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterAll(() => fleet.close())
// Separates the tests by an hour, and disables alerts in between.
afterEach(async () => {
  await choose(fleet.servers[0], { alertTypes: [] })
  await fleet.advance(60 * minute)
  fleet.mail.delivered.length = 0
})

const server = (n: number) => fleet.servers[n % 3] as Fleet['servers'][0]
const draft = { category: 'files', subject: 'Lost', message: 'It was there yesterday.' } as const
/** Emails to the founder; the owner of a locked account gets one as well. */
const lettersToFounder = () => fleet.mail.delivered.filter(({ to }) => to[0] !== 'besieged@example.com')
const lettersAbout = (subject: string) => fleet.mail.delivered.filter(({ source }) => source.includes(subject))

/** Waits until everything in progress has ended in all processes: duplicates would have appeared by then. */
async function untilQuiet(): Promise<void> {
  for (let beats = 0; beats < 3; beats++) await fleet.advance(10_000)
}

const soon = { timeout: 20_000 }
const toldSince = async (since: number) => (await listed(server(2))).filter(({ createdAt }) => createdAt >= since)

test('an attack spread over three processes is one incident with all its events in each of them', async () => {
  const names = Array.from({ length: 6 }, (_, n) => `sprayed${n}`)
  for (const [n, name] of names.entries()) await server(n).signUp(name, { keys: false, address: `10.50.${n}.1` })
  const founders = await fleet.founders()
  await Promise.all(names.map((name, n) => failSignIn(server(n), name, '203.0.113.50')))
  // Again a little later, with each name at another process than before.
  await fleet.advance(minute)
  await Promise.all(names.map((name, n) => failSignIn(server(n + 1), name, '203.0.113.50')))
  const seen = await Promise.all(founders.map((founder) => founder.call(incidents.list, {})))
  for (const open of seen) {
    expect(open.map(({ type, eventCount }) => [type, eventCount])).toEqual([['coordinated_attack', 12]])
    expect(open[0]).toMatchObject({ affectedUserCount: 6, affectedIPs: ['203.0.113.50'] })
  }
  expect(seen[1]).toEqual(seen[0])
  expect(seen[2]).toEqual(seen[0])
  // Each of the three detected it, and one sent the alert.
  await vi.waitFor(async () => expect(await toldSince(0)).toHaveLength(1), soon)
  // Alerts held back by the other processes would follow as a digest.
  await fleet.advance(limits.alertWindow)
  await untilQuiet()
  expect(await toldSince(0)).toMatchObject([{ type: 'failed_logins', subject: '203.0.113.50', kind: 'alert' }])
})

test('an event that all processes notice at once is one alert and one email, the rest one digest', async () => {
  const begun = fleet.clock.now()
  await choose(server(0), { ...toEmail, alertTypes: ['failed_logins', 'system_error'] })
  await server(0).signUp('besieged', { keys: false })
  await Promise.all(
    Array.from({ length: limits.failedSignIns }, (_, n) => failSignIn(server(n), 'besieged', '203.0.113.60')),
  )
  const told = { type: 'failed_logins', subject: 'besieged', kind: 'alert' }
  await vi.waitFor(async () => expect(await toldSince(begun)).toMatchObject([told]), soon)
  await Promise.all(
    Array.from({ length: 9 }, (_, n) => raise(server(n), { type: 'system_error', part: 'route GET /api/user' })),
  )
  await untilQuiet()
  const alerts = await toldSince(begun)
  expect(alerts.map(({ type, kind }) => [type, kind]).toSorted()).toEqual([
    ['failed_logins', 'alert'],
    ['system_error', 'alert'],
  ])
  await vi.waitFor(() => expect(lettersToFounder()).toHaveLength(2), soon)

  await fleet.advance(limits.alertWindow)
  await untilQuiet()
  const [digest, ...before] = await toldSince(begun)
  expect(digest).toMatchObject({ type: 'system_error', kind: 'digest', heldBack: 8 })
  expect(before.map(({ id }) => id)).toEqual(alerts.map(({ id }) => id))
  await vi.waitFor(() => expect(lettersToFounder()).toHaveLength(3), soon)
})

test('a letter about support is sent once, however many processes look for letters meanwhile', async () => {
  const member = await server(0).signUp()
  const release = fleet.mail.hold()
  await fleet.through(member, 1).call(support.create, { body: { ...draft, subject: 'Held by the mail server' } })
  await vi.waitFor(() => expect(fleet.mail.held()).toBe(1), soon)
  // The hourly job of every process runs while the email is in flight.
  await fleet.advance(60 * minute)
  release()
  await vi.waitFor(() => expect(lettersAbout('Held by the mail server')).toHaveLength(1), soon)

  // The mail server refuses all five; an hour later, all three processes find the same five.
  fleet.mail.refuseWith(550)
  const subjects = Array.from({ length: 5 }, (_, n) => `Refused at first ${n}`)
  for (const [n, subject] of subjects.entries())
    await fleet.through(member, n).call(support.create, { body: { ...draft, subject } })
  await vi.waitFor(
    async () =>
      expect(await server(0).core.db.read.all('select 1 from support_requests where mailed_at is null')).toHaveLength(
        subjects.length,
      ),
    soon,
  )
  await fleet.advance(30 * minute)
  fleet.mail.refuseWith(undefined)
  for (let hours = 0; hours < 3; hours++) {
    await fleet.advance(60 * minute)
    await untilQuiet()
  }
  await vi.waitFor(() => expect(subjects.map((subject) => lettersAbout(subject).length)).toEqual([1, 1, 1, 1, 1]), {
    timeout: 20_000,
  })
})

test('scans that all processes are asked for at once flag each message once, and count it once', async () => {
  await choose(server(0), { ...toEmail, alertTypes: ['flagged_message'] })
  const talk = await createTalk(server(0))
  await floodOf(server(1), talk, 40)
  const founders = await fleet.founders()
  const answers = await Promise.all(founders.map((founder) => founder.call(moderation.scan, {})))
  const total = answers.reduce((sum, { flaggedCount }) => sum + flaggedCount, 0)
  const stats = await Promise.all(founders.map((founder) => founder.call(moderation.stats, {})))
  expect(total).toBeGreaterThan(0)
  expect(stats.map(({ totalFlagged }) => totalFlagged)).toEqual([total, total, total])
  const flags = await server(2).core.db.read.all<{ message_id: string; rule: string }>(
    'select message_id, rule from message_flags',
  )
  expect(new Set(flags.map(({ message_id, rule }) => `${rule}/${message_id}`)).size).toBe(total)
  await untilQuiet()
  await vi.waitFor(() => expect(fleet.mail.delivered).toHaveLength(1), soon)
  expect((await listed(server(0))).filter(({ type }) => type === 'flagged_message')).toMatchObject([{ kind: 'alert' }])
})

test('the founder reads the same numbers and the same minutes from any process', async () => {
  const talk = await createTalk(server(0))
  const [firstMinute, secondMinute] = [4, 3]
  await talk.send(talk.anna)
  for (let n = 1; n < firstMinute; n++)
    await fleet.through(talk.anna, n).call(messages.send, { body: talk.text(talk.anna) })
  await fleet.advance(minute)
  for (let n = 0; n < secondMinute; n++) await talk.send(talk.anna)
  await fleet.through(talk.ben, 2).call(messages.list, { params: { id: talk.connection.id }, query: {} })
  await failSignIn(server(1), talk.ben.user.username, '203.0.113.70', limits.failedSignIns)
  await server(2)
    .visitor()
    .call(session.login, {
      body: { username: talk.anna.user.username, password: talk.anna.password },
    })
  // Each process stores the last use of its sessions once a minute.
  await fleet.advance(minute)
  const founders = await fleet.founders()
  const ask = (n: number) => {
    const founder = founders[n] as (typeof founders)[number]
    return Promise.all([
      founder.call(monitoring.realtimeStats, {}),
      founder.call(monitoring.messageRate, {}),
      founder.call(monitoring.stats, {}),
    ])
  }
  const [one, other, third] = [await ask(0), await ask(1), await ask(2)]
  expect(other).toEqual(one)
  expect(third).toEqual(one)
  const [stats, rate] = one
  expect(rate.messages.slice(-3)).toEqual([firstMinute, secondMinute, 0])
  expect(stats).toMatchObject({ activeUsers: 2, lockedAccountsCount: 1, systemHealth: 'good' })
})

test('each job runs in one process, and what is about a process itself in all of them', async () => {
  await fleet.advance(24 * 60 * minute)
  const ran = await Promise.all(
    fleet.servers.map(async ({ visitor }) => {
      const answer = await visitor().fetch('/metrics', { headers: { authorization: `Bearer ${metricsToken}` } })
      const done = /^privity_job_runs_total\{job="([^"]+)",ended="done"\} (\d+)$/gm
      return new Set(
        [...(await answer.text()).matchAll(done)].filter(([, , runs]) => runs !== '0').map(([, job]) => job),
      )
    }),
  )
  const where = (name: string) => ran.flatMap((names, n) => (names.has(name) ? [n] : []))
  const once = jobs.filter(({ inEveryProcess }) => inEveryProcess !== true)
  expect(once.length).toBeGreaterThan(10)
  const [holder] = where(once[0]?.name ?? '')
  for (const { name, inEveryProcess } of jobs)
    expect([name, where(name)]).toEqual([name, inEveryProcess === true ? [0, 1, 2] : [holder]])
})

test('an export of the audit log that one process made is given by any, once', async () => {
  const chief = await join(server(0), 'org_admin')
  const { downloadURL } = await chief.call(auditLogs.createExport, { query: {} })
  const fetched = await Promise.all([1, 2].map((n) => fleet.through(chief, n).fetch(downloadURL)))
  expect(fetched.map(({ status }) => status).toSorted()).toEqual([200, 404])
  await Promise.all(fetched.map((answer) => answer.text()))
})
