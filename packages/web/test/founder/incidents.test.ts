import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MutationObserver, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { describe, expect, test, vi } from 'vitest'
import { type Incident, incidents, incidentType, type SecurityDashboard } from '@privity/contract/founder/incidents'
import { severity as severities } from '@privity/contract/securityEvents'
import { humanize } from '../../src/app/auditEntry.tsx'
import { formatDateTime } from '../../src/founder/console/values.tsx'
import { acknowledgeMutation, withdrawMutation } from '../../src/founder/features/incidents/Acknowledgement.tsx'
import { Investigation } from '../../src/founder/features/incidents/IncidentDialog.tsx'
import { type IncidentFilter, IncidentTable } from '../../src/founder/features/incidents/IncidentTable.tsx'
import { recommendedActions, remainingText } from '../../src/founder/features/incidents/incidentText.ts'
import { partyText } from '../../src/founder/features/incidents/RelatedLogs.tsx'
import { incidentTexts } from '../../src/founder/features/incidents/texts.ts'
import { ThreatStrip } from '../../src/founder/features/incidents/ThreatStrip.tsx'
import { toasts } from '../../src/ui/toast/toastStore.ts'
import { fakeClient, nothing, refused } from './tables.ts'

vi.hoisted(() => Object.assign(globalThis, { location: { origin: 'https://privity.example' } }))

const minute = 60_000
const hour = 60 * minute

const incident = (over: Partial<Incident> = {}): Incident => ({
  id: 'brute_force_attack:account:1',
  type: 'brute_force_attack',
  severity: 'medium',
  description: '5 failed sign-ins to one account from 2 addresses',
  affectedUsers: [{ id: '0190a0b0-0000-7000-8000-000000000001', username: 'amara.osei' }],
  affectedUserCount: 1,
  affectedIPs: ['203.0.113.1', '203.0.113.2'],
  affectedIPCount: 2,
  eventCount: 5,
  isCountCut: false,
  firstSeen: Date.now() - hour,
  lastSeen: Date.now(),
  ...over,
})

const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll(/\s+/g, ' ')
const strip = (dashboard?: SecurityDashboard) => textOf(renderToStaticMarkup(createElement(ThreatStrip, { dashboard })))
const table = (given: Incident[] | undefined, failed = false, filter: IncidentFilter = 'open') => {
  const acts = { onFilter: () => {}, onDetails: () => {} }
  return renderToStaticMarkup(createElement(IncidentTable, { incidents: given, failed, filter, ...acts }))
}
const investigation = (over: Partial<Incident> = {}) => {
  const drawn = createElement(Investigation, { incident: incident(over) })
  return textOf(renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, drawn)))
}

const dashboard = (threatLevel: SecurityDashboard['threatLevel']): SecurityDashboard => ({
  threatLevel,
  severityCounts: { critical: 2, high: 1, medium: 3, low: 0 },
  acknowledgedCount: 1,
  summaryStats: { bruteForceCount: 1047, coordinatedAttackCount: 4 },
})

test('the threat level is LOW until known, unknown after a failure, and asks to act if critical', () => {
  expect(strip()).toContain('Overall Threat Level LOW')
  expect(renderToStaticMarkup(createElement(ThreatStrip, { dashboard: undefined, failed: true }))).toBe('')
  expect(renderToStaticMarkup(createElement(ThreatStrip, { dashboard: dashboard('high'), failed: true }))).toContain(
    'HIGH',
  )
  for (const level of ['low', 'medium', 'high'] as const)
    expect(strip(dashboard(level))).not.toContain('IMMEDIATE ACTION REQUIRED')
  expect(strip(dashboard('critical'))).toBe(
    ' Overall Threat Level CRITICAL IMMEDIATE ACTION REQUIRED Critical incidents 2 High severity 1' +
      ' Brute force attempts 1,047 Coordinated attacks 4 ',
  )
})

test('all is clear without incidents, but not while they load or could not be loaded', () => {
  const clear = 'All Clear - No security threats detected in the last 24 hours'
  expect(table([])).toContain(clear)
  expect(table(undefined)).not.toContain(clear)
  expect(table(undefined, true)).toBe('')
})

test('the table has the first ten incidents and says that there are more', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => incident({ id: `i${n}`, eventCount: n }))
  const rows = (markup: string) => markup.match(/<th scope="row"/g)?.length
  expect(rows(table(many(10)))).toBe(10)
  expect(table(many(10))).not.toContain('most severe')
  expect(rows(table(many(11)))).toBe(10)
  expect(table(many(11))).toContain('The 10 most severe of 11 open incidents.')
})

const acknowledgement = { by: 'founder', device: 'Firefox on Linux', at: 5, note: 'The owner was asked.' }

test('acknowledged incidents are listed apart from the open ones', () => {
  const both = [incident({ eventCount: 7 }), incident({ id: 'seen', eventCount: 8, acknowledgement })]
  const events = (markup: string) => [...markup.matchAll(/<span class="num">(\d+)</g)].map(([, count]) => count)
  expect(events(table(both))).toEqual(['7'])
  expect(events(table(both, false, 'acknowledged'))).toEqual(['8'])
})

test('without an acknowledged incident there is nothing to choose', () => {
  expect(table([incident()])).not.toContain('Show incidents')
  expect(table([incident({ acknowledgement })])).toContain('aria-label="Show incidents"')
})

test('all is not clear where every incident is acknowledged', () => {
  const text = table([incident({ acknowledgement })])
  expect(text).toContain('No open incidents: all are acknowledged.')
  expect(text).not.toContain('All Clear')
  expect(table([incident()], false, 'acknowledged')).toContain('No acknowledged incidents')
})

test('the investigation says who acknowledged, where, and why, and offers to undo it', () => {
  const text = investigation({ acknowledgement })
  expect(text).toContain('By founder (Firefox on Linux)')
  expect(text).toContain('The owner was asked. Undo')
  expect(text).not.toContain('Note (optional)')
})

test('the investigation offers to acknowledge with a note', () => {
  expect(investigation()).toContain('Note (optional) Acknowledge')
})

test('a row says what it is, how grave, whom it affects by number, how often and when last', () => {
  const text = textOf(table([incident({ type: 'coordinated_attack', severity: 'critical', lastSeen: 1 })]))
  expect(text).toContain(
    `Coordinated attack Critical 5 failed sign-ins to one account from 2 addresses amara.osei 1 user, 2 IPs 5 ${formatDateTime(1)} Details`,
  )
  expect(textOf(table([incident({ affectedUserCount: 3, affectedIPCount: 1 })]))).toContain('3 users, 1 IP')
  expect(textOf(table([incident({ eventCount: 1_000 })]))).not.toContain('1,000+')
  expect(textOf(table([incident({ eventCount: 1_000, isCountCut: true })]))).toContain('1,000+')
})

test('incidents of one kind are told apart by the account or the address that each is about', () => {
  const many = { affectedUserCount: 2, affectedUsers: [...incident().affectedUsers, { id: 'x', username: 'li.wei' }] }
  const one = { affectedIPs: ['203.0.113.7'], affectedIPCount: 1 }
  const subjectIn = (over: Partial<Incident>) => /<b>([^<]*)<\/b>/.exec(table([incident(over)]))?.[1]
  expect(subjectIn({})).toBe('amara.osei')
  expect(subjectIn(one)).toBe('amara.osei')
  expect(subjectIn({ affectedUsers: [], affectedUserCount: 0, ...one })).toBe('203.0.113.7')
  expect(subjectIn({ ...many, ...one })).toBe('203.0.113.7')
  expect(subjectIn(many)).toBeUndefined()
  expect(table([incident()])).toContain('aria-label="Details: Brute force attack, amara.osei"')
  expect(table([incident(many)])).toContain('aria-label="Details: Brute force attack"')
})

test('the investigation has every fact, by usernames', () => {
  const text = investigation({ severity: 'high', firstSeen: 0, lastSeen: Date.now() })
  for (const part of [
    'Threat type Brute force attack',
    'Severity High',
    'Event count 5',
    'Time window',
    'Time remaining 1d 0h 0m',
    'Description 5 failed sign-ins to one account from 2 addresses',
    'Affected users amara.osei',
    'IP addresses 203.0.113.1 203.0.113.2',
    'Recommended actions',
  ])
    expect(text).toContain(part)
})

test('those affected are named, deleted ones told apart, the rest counted, and none said so', () => {
  const text = investigation({ affectedUsers: [], affectedUserCount: 0, affectedIPs: [], affectedIPCount: 0 })
  expect(text).toContain('No specific users identified')
  expect(text).toContain('No IP addresses identified')
  const deleted = { id: '0190a0b0-0000-7000-8000-000000000001', username: null }
  expect(investigation({ affectedUsers: [deleted], affectedUserCount: 61 })).toContain(
    'Deleted user 000001 and 60 more',
  )
})

test('the time that remains ends 24 hours after the last event', () => {
  const last = 1_000_000
  const at = (later: number) => remainingText(last, last + later)
  expect(at(0)).toBe('1d 0h 0m')
  expect(at(minute)).toBe('23h 59m')
  expect(at(22 * hour + 30 * minute)).toBe('1h 30m')
  expect(at(23 * hour)).toBe('1h 0m')
  expect(at(23 * hour + minute)).toBe('59m')
  expect(at(24 * hour - 1)).toBe('1m')
  expect(at(24 * hour)).toBe('Expired')
  expect(at(48 * hour)).toBe('Expired')
})

test('each incident has recommendations of its own, by what is known of it', () => {
  for (const type of incidentType.options)
    for (const severity of severities.options) {
      const actions = recommendedActions(incident({ type, severity }))
      expect(actions.length, type).toBeGreaterThanOrEqual(2)
      expect(new Set(actions).size, type).toBe(actions.length)
    }
  const { actions } = incidentTexts
  expect(recommendedActions(incident({ severity: 'critical' }))[0]).toBe(actions.now)
  expect(recommendedActions(incident())).not.toContain(actions.now)
  expect(recommendedActions(incident({ affectedUsers: [] }))).toContain(actions.noSuchAccount)
  expect(recommendedActions(incident({ affectedIPCount: 0 })).join(' ')).not.toContain('firewall')
  const founder = { affectedUsers: [{ id: 'founder', username: 'founder' }] }
  expect(recommendedActions(incident(founder))).toContain(actions.ownPassword)
  expect(recommendedActions(incident({ type: 'unusual_activity_hours', ...founder }))).toContain(actions.askFounder)
})

test('in the related logs people are named by their usernames, and actions by their words', () => {
  const member = {
    kind: 'member',
    id: '1',
    username: 'amara.osei',
    firstName: 'Amara',
    lastName: 'Osei',
    email: 'a@example.com',
  } as const
  expect([member, { kind: 'deleted', id: 'abc123456' } as const, { kind: 'unknown' } as const].map(partyText)).toEqual([
    'amara.osei',
    'Deleted user 123456',
    'Unknown User',
  ])
  expect([{ kind: 'founder' } as const, { kind: 'server' } as const].map(partyText)).toEqual(['Founder', 'Server'])
  expect(humanize('user_role_changed')).toBe('User role changed')
})

describe('acknowledging', () => {
  const acknowledge = (answer: unknown) => {
    const { called, client } = fakeClient(answer)
    const run = (queries: QueryClient) =>
      new MutationObserver(queries, acknowledgeMutation(client, queries))
        .mutate({ incident: incident(), note: 'Seen.' })
        .catch(nothing)
    return { called, run }
  }
  const stale = async (run: (queries: QueryClient) => Promise<unknown>) => {
    const queries = new QueryClient()
    const paths = [incidents.list.path, incidents.dashboard.path, '/api/founder/verify']
    for (const path of paths) queries.setQueryData([path], {})
    await run(queries)
    return paths.filter((path) => queries.getQueryState([path])?.isInvalidated)
  }

  test('sends the note, says so, and loads list and level again', async () => {
    const { called, run } = acknowledge(acknowledgement)
    expect(await stale(run)).toEqual([incidents.list.path, incidents.dashboard.path])
    const body = { incident: incident().id, note: 'Seen.' }
    expect(called).toEqual([[incidents.acknowledge, { body }]])
    expect(toasts.get()).toMatchObject({ title: 'Incident acknowledged', tone: 'success' })
  })

  test('says with the server that it failed, and loads list and level again', async () => {
    expect(await stale(acknowledge(refused).run)).toHaveLength(2)
    expect(toasts.get()).toMatchObject({ title: 'Acknowledgement failed', description: 'The server says why.' })
  })

  test('is undone', async () => {
    const { called, client } = fakeClient({})
    const run = (queries: QueryClient) =>
      new MutationObserver(queries, withdrawMutation(client, queries)).mutate(incident())
    expect(await stale(run)).toHaveLength(2)
    expect(called).toEqual([[incidents.withdraw, { query: { incident: incident().id } }]])
    expect(toasts.get()).toMatchObject({ title: 'Acknowledgement undone', tone: 'success' })
  })
})
