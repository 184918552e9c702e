import { expect, test, vi } from 'vitest'
import { isoDay } from '../../src/i18n/dateTime.ts'
import { beginningOf, endOf, lastDays } from '../../src/founder/features/auditExport/ExportSection.tsx'

vi.hoisted(() => Object.assign(globalThis, { location: { origin: 'https://privity.example' } }))

const noon = new Date(2026, 10, 21, 12).getTime()

test('the range that is offered: the last 7 days up to now', () => {
  expect(lastDays(noon)).toEqual({ start: '2026-11-14', end: '2026-11-21' })
  expect(lastDays(new Date(2026, 2, 3, 0, 5).getTime())).toEqual({ start: '2026-02-24', end: '2026-03-03' })
})

test('a day is whole in the reader’s own time zone, from its first to its last millisecond', () => {
  const [first, last] = [beginningOf('2026-11-21'), endOf('2026-11-21')]
  expect([first, last]).toEqual([new Date(2026, 10, 21), new Date(2026, 10, 21, 23, 59, 59, 999)])
  expect([isoDay(first?.getTime() ?? 0), isoDay(last?.getTime() ?? 0)]).toEqual(['2026-11-21', '2026-11-21'])
  expect(endOf('2026-12-31')).toEqual(new Date(2026, 11, 31, 23, 59, 59, 999))
})

test.each(['', '2026', '2026-13-40', '12026-01-01', 'yesterday'])('%j is no day', (text) => {
  expect([beginningOf(text), endOf(text)]).toEqual([undefined, undefined])
})
