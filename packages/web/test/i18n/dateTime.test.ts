import { afterEach, describe, expect, it } from 'vitest'
import { daysBetween, formatDate, formatTime, setFormats } from '../../src/i18n/dateTime.ts'

const at = (...parts: [number, number, number, number?, number?]) => {
  const [year, month, day, hour = 0, minute = 0] = parts
  return new Date(year, month - 1, day, hour, minute).getTime()
}

afterEach(() => setFormats({}))

it('a date is MM/DD/YYYY where nothing else was chosen', () => {
  expect(formatDate(at(2026, 3, 9))).toBe('03/09/2026')
})

it.each([
  ['MM/DD/YYYY', '03/09/2026'],
  ['DD/MM/YYYY', '09/03/2026'],
  ['YYYY-MM-DD', '2026-03-09'],
] as const)('a date chosen as %s is %s', (dateFormat, text) => {
  setFormats({ dateFormat })
  expect(formatDate(at(2026, 3, 9))).toBe(text)
})

it.each([
  [0, 5, '00:05'],
  [9, 12, '09:12'],
  [23, 59, '23:59'],
])('%i:%i on a 24-hour clock is %s', (hour, minute, text) => {
  setFormats({ timeFormat: '24h' })
  expect(formatTime(at(2026, 3, 12, hour, minute))).toBe(text)
})

it.each([
  [0, 5, '12:05 AM'],
  [9, 12, '9:12 AM'],
  [12, 0, '12:00 PM'],
  [23, 59, '11:59 PM'],
])('%i:%i is %s', (hour, minute, text) => {
  expect(formatTime(at(2026, 3, 12, hour, minute))).toBe(text)
})

describe('days between', () => {
  it('counts midnights, not hours', () => {
    expect(daysBetween(at(2026, 3, 11, 23, 59), at(2026, 3, 12, 0, 1))).toBe(1)
    expect(daysBetween(at(2026, 3, 12, 0, 1), at(2026, 3, 12, 23, 59))).toBe(0)
  })

  it('is not misled by a day of 23 or 25 hours', () => {
    expect(daysBetween(at(2026, 3, 28, 12), at(2026, 3, 30, 12))).toBe(2)
    expect(daysBetween(at(2026, 10, 24, 12), at(2026, 10, 26, 12))).toBe(2)
  })
})
