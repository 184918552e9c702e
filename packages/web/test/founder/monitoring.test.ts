import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { RealtimeStats } from '@privity/contract/founder/monitoring'
import { CallError } from '@privity/client'
import { expect, test, vi } from 'vitest'
import { loadFailure } from '../../src/founder/console/LoadError.tsx'
import { HealthBadge, pollFailure, shownHealth } from '../../src/founder/features/monitoring/HealthBadge.tsx'
import {
  clockSeconds,
  clockTime,
  minutesOf,
  minuteText,
  moveCursor,
  summaryOf,
} from '../../src/founder/features/monitoring/minutes.ts'
import { eventName, RecentEvents } from '../../src/founder/features/monitoring/RecentEvents.tsx'
import { Tiles } from '../../src/founder/features/monitoring/Tiles.tsx'
import { adminsOf } from '../../src/founder/features/userStats/UserStats.tsx'

vi.hoisted(() => Object.assign(globalThis, { location: { origin: 'https://privity.example' } }))

const from = new Date(2026, 0, 5, 14, 0).getTime()
const minutes = (messages: number[], flags: number[] = []) => minutesOf({ from, messages, flags })

const stats = (over: Partial<RealtimeStats> = {}): RealtimeStats => ({
  activeUsers: 128,
  activeSessions: 143,
  messagesLast24h: 18_402,
  connectionsLast24h: 67,
  flaggedMessagesCount: 0,
  lockedAccountsCount: 0,
  systemHealth: 'good',
  healthProblems: [],
  recentEvents: [],
  ...over,
})

const tiles = (over?: Partial<RealtimeStats>) => renderToStaticMarkup(createElement(Tiles, { stats: stats(over) }))

test('six tiles with their labels and numbers, in the order of the specification', () => {
  const drawn = tiles()
  expect([...drawn.matchAll(/<dt>(.*?)<\/dt>/g)].map(([, label]) => label)).toEqual([
    'Active Users (15m)',
    'Active Sessions',
    'Messages (24h)',
    'Connections (24h)',
    'Flagged Messages',
    'Locked Accounts',
  ])
  expect([...drawn.matchAll(/<dd>(.*?)<\/dd>/g)].map(([, value]) => value)).toEqual([
    '128',
    '143',
    '18,402',
    '67',
    '0',
    '0',
  ])
})

test('two tiles say what the last hour brought, once it is known', () => {
  const known = renderToStaticMarkup(
    createElement(Tiles, { stats: stats({ flaggedMessagesCount: 9 }), minutes: minutes([1_200, 40], [2, 1]) }),
  )
  expect(
    [...known.matchAll(/<dt>([^<]*)<\/dt><dd>[^<]*<\/dd><dd class="tile-note">(.*?)<\/dd>/g)].map((found) =>
      found.slice(1),
    ),
  ).toEqual([
    ['Messages (24h)', '1,240 in the last hour'],
    ['Flagged Messages', '3 in the last hour'],
  ])
  expect(tiles()).not.toContain('tile-note')
})

test('what could not be loaded is no number, and nothing that is still coming', () => {
  const failed = renderToStaticMarkup(createElement(Tiles, { stats: undefined, failed: true }))
  expect(failed.match(/<dd>-<\/dd>/g)).toHaveLength(6)
  expect(failed).not.toContain('aria-busy')
  expect(renderToStaticMarkup(createElement(Tiles, { stats: undefined }))).not.toContain('<dd>-</dd>')
  const events = renderToStaticMarkup(createElement(RecentEvents, { events: undefined, failed: true }))
  expect(events).toContain('The events could not be loaded.')
  expect(events).not.toContain('No recent security events')
})

test('Flagged Messages and Locked Accounts stand out above 0 and only then', () => {
  expect(tiles()).not.toMatch(/tile-(warn|crit)/)
  expect(tiles({ flaggedMessagesCount: 1 })).toMatch(/tile tile-warn"><dt>Flagged/)
  expect(tiles({ lockedAccountsCount: 1 })).toMatch(/tile tile-crit"><dt>Locked/)
  expect(tiles({ flaggedMessagesCount: 1 })).not.toContain('tile-crit')
})

test.each([
  ['good', 'badge-success', 'GOOD', []],
  ['warning', 'badge-warning', 'WARNING', ['diskSpace']],
  ['critical', 'badge-critical', 'CRITICAL', ['database', 'objectStore', 'auditLog']],
  ['unknown', 'badge-warning', 'UNKNOWN', []],
] as const)('the health %s is said in capitals, in its colour, with its reasons', (health, tone, word, problems) => {
  const drawn = renderToStaticMarkup(createElement(HealthBadge, { health, problems }))
  expect(drawn).toContain(`System Health: ${word}`)
  expect(drawn).toContain(tone)
  expect(drawn.match(/mon-problem/g) ?? []).toHaveLength(problems.length)
})

test('the health is good until the first answer, and unknown while the newest poll has failed', () => {
  expect(shownHealth(undefined, false)).toBe('good')
  expect(shownHealth(stats({ systemHealth: 'warning' }), false)).toBe('warning')
  expect(shownHealth(stats({ systemHealth: 'good' }), true)).toBe('unknown')
  expect(shownHealth(undefined, true)).toBe('unknown')
})

test('that the database is away is said by Monitoring once, and by no other section', () => {
  const away = new CallError('UNAVAILABLE', { status: 503 })
  expect(pollFailure(away)).toBe('The database is not responding.')
  expect(loadFailure(away)).toBe('')
  const ofProxy = new CallError('UNAVAILABLE', { status: 502, unexplained: true })
  for (const error of [ofProxy, new CallError('OFFLINE')])
    expect([pollFailure(error), loadFailure(error)]).toEqual([error.sentence, error.sentence])
})

test('an event has its severity, person, kind in plain capitals, and its time to the second', () => {
  const createdAt = new Date(2026, 0, 5, 9, 4, 7).getTime()
  const event = { id: 'e', severity: 'high', eventType: 'dev_tools_detected', createdAt } as const
  const draw = (over: object) => renderToStaticMarkup(createElement(RecentEvents, { events: [{ ...event, ...over }] }))
  expect(eventName('page_visibility_change')).toBe('PAGE VISIBILITY CHANGE')
  expect(draw({})).toMatch(/High.*<b>Unknown User<\/b>.*DEV TOOLS DETECTED.*>09:04:07<\/time>/)
  const named = draw({ username: 'm.bell', eventDescription: 'F12 was pressed' })
  expect(named).toMatch(/<b>m\.bell<\/b>.*F12 was pressed/)
  expect(named).not.toContain('Unknown User')
  expect(renderToStaticMarkup(createElement(RecentEvents, { events: [] }))).toContain('No recent security events')
})

test('times are of 24 hours with two digits each', () => {
  const midnight = new Date(2026, 0, 5, 0, 3, 9).getTime()
  expect([clockTime(midnight), clockSeconds(midnight)]).toEqual(['00:03', '00:03:09'])
})

test('a minute is told with its numbers', () => {
  const [first, then] = minutes([1, 15], [0, 2])
  expect([first && minuteText(first), then && minuteText(then)]).toEqual([
    '14:00: 1 message, 0 flagged',
    '14:01: 15 messages, 2 flagged',
  ])
})

test('the minute that is not over is no trough and lowers no average, but may be the peak', () => {
  expect(summaryOf(minutes([4, 6, 8, 0], [0, 1, 0, 2]))).toEqual({
    min: 4,
    max: 8,
    average: 6,
    now: 0,
    messages: 18,
    flags: 3,
  })
  expect(summaryOf(minutes([4, 6, 8, 90])).max).toBe(90)
})

test('the keys move along the minutes and not beyond them; the first key begins at the newest', () => {
  const move = (key: string, at?: number) => moveCursor(key, at, 60)
  expect([move('ArrowLeft'), move('ArrowLeft', 59), move('ArrowRight', 59), move('ArrowLeft', 0)]).toEqual([
    59, 58, 59, 0,
  ])
  expect([move('PageDown', 5), move('PageDown', 30), move('PageUp', 55), move('Home', 9), move('End', 9)]).toEqual([
    0, 20, 59, 0, 59,
  ])
  expect([move('Tab', 3), move('a')]).toEqual([undefined, undefined])
})

test('administrators are those of both roles', () => {
  const usersByRole = { super_admin: 2, org_admin: 34, user: 1_248 }
  expect(adminsOf({ totalUsers: 1_284, activeUsers: 1_237, suspendedUsers: 11, usersByRole })).toBe(36)
})
