import { describe, expect, it } from 'vitest'
import { type Entry, placeEntries } from '../../../src/features/messages/conversation/timeline.ts'

const noon = new Date(2026, 2, 12, 12).getTime()
const minute = 60_000
let keys = 0
const entry = (at: number, mine = false, alone = false): Entry => ({
  key: `e${(keys += 1)}`,
  mine,
  alone,
  createdAt: noon + at * minute,
})
const shape = (entries: Entry[]) =>
  placeEntries(entries).map((row) =>
    row.kind !== 'entry' ? row.kind : [row.turn && 'turn', row.tail && 'tail'].filter(Boolean).join(' ') || 'middle',
  )

describe('grouping', () => {
  it('puts messages of one sender within five minutes together; the last carries the meta line', () => {
    expect(shape([entry(0), entry(1), entry(2)])).toEqual(['day', 'middle', 'middle', 'tail'])
  })

  it('begins anew with the other sender', () => {
    expect(shape([entry(0), entry(1, true), entry(2, true)])).toEqual(['day', 'tail', 'turn', 'tail'])
  })

  it('begins anew where a message is missing, which has a line of its own', () => {
    const entries = [entry(0), { ...entry(1), isMissingBefore: true as const }, entry(2)]
    expect(shape(entries)).toEqual(['day', 'tail', 'missing', 'turn', 'tail'])
  })

  it('begins anew after five minutes', () => {
    expect(shape([entry(0), entry(5)])).toEqual(['day', 'tail', 'turn tail'])
    expect(shape([entry(0), entry(4.9)])).toEqual(['day', 'middle', 'tail'])
  })

  it('leaves files and failed messages alone', () => {
    expect(shape([entry(0), entry(1, false, true), entry(2)])).toEqual(['day', 'tail', 'turn tail', 'turn tail'])
  })

  it('puts a rule before each day and never groups across it', () => {
    const late = entry(11 * 60 + 59)
    const early = entry(12 * 60 + 1)
    expect(shape([late, early])).toEqual(['day', 'tail', 'day', 'tail'])
  })

  it('of nothing is nothing', () => {
    expect(placeEntries([])).toEqual([])
  })
})
