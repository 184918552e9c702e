import { readFileSync } from 'node:fs'
import { limits } from '@privity/contract/limits'
import { expect, test } from 'vitest'
import { type Condition, conditions, severities } from '../../../../src/features/founder/incidents/rules.ts'
import { describe as words } from '../../../../src/features/founder/incidents/descriptions.ts'
import { noon, run, signal } from '../../../support/founder/incidentSignals.ts'

const minute = 60_000
const hour = 60 * minute

const times = (count: number, over: number) =>
  Array.from({ length: count }, (_, at) => Math.round((at * over) / (count - 1)))
const typesOf = (signals: Parameters<typeof run>[0]) => run(signals).incidents.map(({ type }) => type)

test('5 failures on one account in 15 minutes are a brute force attack, 4 or later ones are not', () => {
  const failures = (count: number, over: number) => times(count, over).map((at) => signal('failure', at))
  expect(typesOf(failures(4, 1000))).toEqual([])
  expect(typesOf(failures(5, 15 * minute))).toEqual(['brute_force_attack'])
  expect(typesOf(failures(5, 15 * minute + 1))).toEqual([])
  const others = times(5, minute).map((at, n) => signal('failure', at, { account: n === 0 ? 'helen' : 'amara' }))
  expect(typesOf(others)).toEqual([])
})

test('5 accounts from one address, or 3 addresses on one account, are a coordinated attack', () => {
  const accounts = (count: number, over: number, tries = 1) =>
    times(count * tries, over).map((at, n) => signal('failure', at, { account: `user${n % count}` }))
  expect(typesOf(accounts(4, minute, 3))).toEqual([])
  expect(typesOf(accounts(5, 15 * minute))).toEqual(['coordinated_attack'])
  expect(typesOf(accounts(5, 15 * minute + 1))).toEqual([])

  const addresses = (count: number, over: number) =>
    times(count, over).map((at, n) => signal('failure', at, { address: `203.0.113.${n}` }))
  expect(typesOf(addresses(2, minute))).toEqual([])
  expect(typesOf(addresses(3, 15 * minute))).toEqual(['coordinated_attack'])
  expect(typesOf(addresses(3, 15 * minute + 1))).toEqual([])
  // A subscriber can change IPv6 addresses at will, so they count as one network.
  const oneNetwork = times(4, minute).map((at, n) => signal('failure', at, { address: `2001:db8::${n}` }))
  expect(typesOf(oneNetwork)).toEqual([])
})

test('5 sign-ups from one address in 10 minutes are a rapid account creation', () => {
  const signUps = (count: number, over: number) =>
    times(count, over).map((at, n) => signal('signUp', at, { account: `user${n}` }))
  expect(typesOf(signUps(4, minute))).toEqual([])
  expect(typesOf(signUps(5, 10 * minute))).toEqual(['rapid_account_creation'])
  expect(typesOf(signUps(5, 10 * minute + 1))).toEqual([])
  const fromElsewhere = times(5, minute).map((at, n) =>
    signal('signUp', at, { account: `user${n}`, address: n < 4 ? '203.0.113.7' : '198.51.100.1' }),
  )
  expect(typesOf(fromElsewhere)).toEqual([])
})

test('10 deterred actions of one user in an hour, or 3 of high severity, are suspicious', () => {
  const deterred = (count: number, over: number, severity: 'low' | 'medium' | 'high') =>
    times(count, over).map((at) => signal('deterrent', at, { severity }))
  expect(typesOf(deterred(9, minute, 'medium'))).toEqual([])
  expect(typesOf(deterred(10, hour, 'low'))).toEqual(['suspicious_user_behavior'])
  expect(typesOf(deterred(10, hour + 1, 'low'))).toEqual([])
  expect(typesOf(deterred(2, minute, 'high'))).toEqual([])
  expect(typesOf(deterred(3, hour, 'high'))).toEqual(['suspicious_user_behavior'])
  expect(typesOf(deterred(3, hour + 1, 'high'))).toEqual([])
  const two = times(10, minute).map((at, n) => signal('deterrent', at, { account: n < 9 ? 'amara' : 'helen' }))
  expect(typesOf(two)).toEqual([])
})

test('actions of administrators and the founder from midnight to 5 o’clock server time count', () => {
  const at = (h: number, m: number, s: number, ms: number) =>
    signal('action', new Date(2026, 0, 16, h, m, s, ms).getTime() - noon)
  expect(typesOf([at(0, 0, 0, 0)])).toEqual(['unusual_activity_hours'])
  expect(typesOf([at(4, 59, 59, 999)])).toEqual(['unusual_activity_hours'])
  expect(typesOf([at(5, 0, 0, 0), at(23, 59, 59, 999)])).toEqual([])
})

test('it is the hour of the server’s time zone that counts', () => {
  const utc = (text: string) => signal('action', Date.parse(text) - noon)
  const inNewYork = (time: number) =>
    Number(
      new Intl.DateTimeFormat('en', { timeZone: 'America/New_York', hour: 'numeric', hourCycle: 'h23' }).format(time),
    )
  const types = (text: string) => run([utc(text)], { hourOf: inNewYork }).incidents.length
  expect(types('2026-01-16T04:59:59.999Z')).toBe(0)
  expect(types('2026-01-16T05:00:00.000Z')).toBe(1)
  expect(types('2026-01-16T09:59:59.999Z')).toBe(1)
  expect(types('2026-01-16T10:00:00.000Z')).toBe(0)
})

test('an incident is open for 24 hours after its last event, with all events of its last burst', () => {
  const attack = times(5, 15 * minute).map((at) => signal('failure', at))
  const { engine } = run(attack)
  const last = noon + 15 * minute
  expect(engine.list(last + limits.incidentOpen - 1).map(({ events }) => events.length)).toEqual([5])
  expect(engine.find('brute_force_attack:account:amara', last + limits.incidentOpen - 1)).toBeDefined()
  expect(engine.find('brute_force_attack:account:amara', last + limits.incidentOpen)).toBeUndefined()
  expect(engine.list(last + limits.incidentOpen)).toEqual([])
})

test('an attack that goes on stays one incident; after a pause it is told of again', () => {
  const burst = (from: number) => times(5, minute).map((at) => signal('failure', from + at))
  const { incidents, opened } = run([...burst(0), ...burst(10 * minute), ...burst(3 * hour)])
  expect(incidents.map(({ events }) => events.length)).toEqual([15])
  expect(opened).toHaveLength(2)
})

test('severity follows from what is counted', () => {
  const severity = (signals: Parameters<typeof run>[0]) => run(signals).incidents[0]?.severity
  const failures = (count: number, account = 'amara') =>
    times(count, 10 * minute).map((at) => signal('failure', at, { account }))
  expect([5, 9, 10, 49, 50].map((count) => severity(failures(count)))).toEqual([
    'medium',
    'medium',
    'high',
    'high',
    'critical',
  ])
  expect([5, 10].map((count) => severity(failures(count, 'founder')))).toEqual(['high', 'critical'])
  const addresses = (count: number) =>
    times(count, minute).map((at, n) => signal('failure', at, { account: 'x', address: `203.0.113.${n}` }))
  expect(run(addresses(3)).incidents.map((one) => one.severity)).toEqual(['high'])
  expect(run(addresses(10)).incidents[0]).toMatchObject({ type: 'coordinated_attack', severity: 'critical' })
  const deterred = (count: number, high: number) =>
    times(count, minute).map((at, n) => signal('deterrent', at, { severity: n < high ? 'high' : 'low' }))
  expect([severity(deterred(10, 2)), severity(deterred(10, 3)), severity(deterred(50, 0))]).toEqual([
    'medium',
    'high',
    'high',
  ])
})

test('the gravest come first, then the newest', () => {
  const attack = (account: string, count: number, from: number) =>
    times(count, minute).map((at) => signal('failure', from + at, { account, address: `203.0.113.${account.length}` }))
  const { incidents } = run([...attack('a', 5, 0), ...attack('bb', 10, hour), ...attack('ccc', 5, 2 * hour)])
  expect(incidents.map(({ severity, id }) => [severity, id.split(':').at(-1)])).toEqual([
    ['high', 'bb'],
    ['medium', 'ccc'],
    ['medium', 'a'],
  ])
})

test('an incident says in a sentence what it is', () => {
  const incident = (signals: Parameters<typeof run>[0]) => run(signals).incidents.map(words)
  expect(incident(times(5, minute).map((at, n) => signal('failure', at, { address: `203.0.113.${n % 2}` })))).toEqual([
    '5 failed sign-ins to one account from 2 addresses',
  ])
  expect(incident(times(5, minute).map((at, n) => signal('failure', at, { account: `user${n}` })))).toEqual([
    'Failed sign-ins to 5 accounts from one network',
  ])
  expect(incident(times(3, minute).map((at, n) => signal('failure', at, { address: `203.0.113.${n}` })))).toEqual([
    'Failed sign-ins to one account from 3 networks',
  ])
  expect(incident(times(3, minute).map((at) => signal('deterrent', at, { severity: 'high' })))).toEqual([
    '3 deterred actions by one user, 3 of high severity',
  ])
})

test('the page about monitoring has the thresholds and severities of the code', () => {
  const page = readFileSync(new URL('../../../../../../docs/security-monitoring.md', import.meta.url), 'utf8')
  const rows = page
    .split('\n')
    .flatMap((line) => (line.startsWith('| `') ? [line.split('|').map((cell) => cell.trim())] : []))
  const minutes = ({ within }: Condition) => (within % hour === 0 ? `${within / hour} h` : `${within / minute} min`)
  const expected = Object.entries(conditions).flatMap(([type, list]) =>
    list.map((one) => [
      `\`${type}\``,
      one.only === undefined ? one.signal : `${one.signal}, ${one.only}`,
      one.by,
      one.counts,
      String(one.atLeast),
      minutes(one),
    ]),
  )
  expect(rows.filter(({ length }) => length === 8).map((row) => row.slice(1, -1))).toEqual(expected)
  const steps = Object.entries(severities).flatMap(([type, list]) =>
    list.flatMap(({ by, steps: each }) => each.map(([from, severity]) => [`\`${type}\``, by, String(from), severity])),
  )
  expect(rows.filter(({ length }) => length === 6).map((row) => row.slice(1, -1))).toEqual(steps)
})
