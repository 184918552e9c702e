import { describe, expect, it } from 'vitest'
import { characters, counterTone, fitLimit } from '../../../src/features/messages/composer/characters.ts'
import { advance, deliveryOf } from '../../../src/features/messages/delivery.ts'
import { expiryOf } from '../../../src/features/messages/message/MessageRow.tsx'

const hour = 3_600_000
const minute = 60_000

describe('the words of expiry', () => {
  const dated = { createdAt: 0, expiresAt: 24 * hour }
  it.each([
    [0, 'disappears in 24 h', false],
    [1, 'disappears in 24 h', false],
    [30 * minute, 'disappears in 24 h', false],
    [30 * minute + 1, 'disappears in 23 h', false],
    [5 * hour, 'disappears in 19 h', false],
    [22.4 * hour, 'disappears in 2 h', false],
    [23 * hour, 'disappears in 1 h', false],
    [23 * hour + 1, 'disappears in 59 min', true],
    [23 * hour + 20 * minute, 'disappears in 40 min', true],
    [24 * hour - minute, 'disappears in 1 min', true],
    [24 * hour - 59_999, 'disappears in under 1 min', true],
    [25 * hour, 'disappears in under 1 min', true],
  ])('after %i ms: %s', (now, text, soon) => {
    expect(expiryOf(dated, now)).toMatchObject({ text, soon })
  })

  it('the ring empties from full to nothing', () => {
    expect(expiryOf(dated, 0).left).toBe(1)
    expect(expiryOf(dated, 18 * hour).left).toBe(0.25)
    expect(expiryOf(dated, 30 * hour).left).toBe(0)
  })
})

describe('the counter', () => {
  it('counts code points, not UTF-16 units', () => {
    expect(characters('añ👩')).toBe(3)
  })

  it.each([
    [449, 'calm'],
    [450, 'near'],
    [499, 'near'],
    [500, 'full'],
  ])('at %i is %s', (count, tone) => {
    expect(counterTone(count)).toBe(tone)
  })
})

describe('the limit', () => {
  it('leaves what fits untouched', () => {
    expect(fitLimit('hello', 2, 5)).toEqual({ text: 'hello', caret: 2 })
  })

  it('takes what is over from before the caret, so the text after it stays', () => {
    expect(fitLimit('abXYZcd', 5, 5)).toEqual({ text: 'abXcd', caret: 3 })
  })

  it('cuts a pasted text that is longer than all of it', () => {
    expect(fitLimit('x'.repeat(600), 600, 500).text).toBe('x'.repeat(500))
  })

  it('never cuts a character in two', () => {
    expect(fitLimit('👩👩👩', 6, 2)).toEqual({ text: '👩👩', caret: 4 })
  })

  it('cuts at the end where the caret stands before too little', () => {
    expect(fitLimit('abcdef', 1, 3)).toEqual({ text: 'bcd', caret: 0 })
  })
})

describe('delivery', () => {
  it.each([
    [undefined, 'sent'],
    [{ deliveredSeq: 4, readSeq: 4 }, 'sent'],
    [{ deliveredSeq: 5, readSeq: 4 }, 'delivered'],
    [{ deliveredSeq: 5, readSeq: 5 }, 'read'],
  ])('of message 5 with %o is %s', (heard, delivery) => {
    expect(deliveryOf(5, heard)).toBe(delivery)
  })

  it('never goes back when a notice arrives late', () => {
    const known = [{ connectionId: 'c', userId: 'u', deliveredSeq: 9, readSeq: 3 }]
    expect(advance(known, { connectionId: 'c', userId: 'u', deliveredSeq: 5, readSeq: 5 })).toEqual([
      { connectionId: 'c', userId: 'u', deliveredSeq: 9, readSeq: 5 },
    ])
  })

  it('of reading goes back where one of the two does not tell it any more, and begins anew', () => {
    const known = [{ connectionId: 'c', userId: 'u', deliveredSeq: 9, readSeq: 7 }]
    const hidden = advance(known, { connectionId: 'c', userId: 'u', deliveredSeq: 9 })
    expect(hidden[0]?.readSeq).toBeUndefined()
    expect(deliveryOf(7, hidden[0])).toBe('delivered')
    const again = advance(hidden, { connectionId: 'c', userId: 'u', deliveredSeq: 9, readSeq: 2 })
    expect(again).toEqual([{ connectionId: 'c', userId: 'u', deliveredSeq: 9, readSeq: 2 }])
  })
})
