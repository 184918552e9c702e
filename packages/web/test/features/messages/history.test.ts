import { isUnreadHere } from '../../../src/features/messages/delivery.ts'
import { describe, expect, it } from 'vitest'
import {
  type History,
  withAskedPage,
  withReplaced,
  withMessage,
  withNewestPage,
  withOlderPage,
  withoutExpired,
  withoutOldest,
} from '../../../src/features/messages/history.ts'

interface M {
  id: string
  seq: number
  expiresAt: number
}
const message = (seq: number): M => ({ id: `m${seq}`, seq, expiresAt: seq * 10 })
const run = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => message(from + i))
const seqs = (history: History<M>) => history.messages.map((each) => each.seq)

describe('a newest page that was under way', () => {
  it('keeps what the socket brought meanwhile, wherever the page ends', () => {
    const before = { messages: run(1, 3), older: false }
    const known = { messages: run(1, 5), older: false }
    expect(seqs(withAskedPage(before, known, run(1, 3)))).toEqual([1, 2, 3, 4, 5])
    expect(seqs(withAskedPage(before, known, run(1, 4)))).toEqual([1, 2, 3, 4, 5])
    expect(seqs(withAskedPage(undefined, known, []))).toEqual([1, 2, 3, 4, 5])
  })

  it('keeps what came meanwhile with a number that the page has for another message', () => {
    const before = { messages: run(1, 3), older: false }
    const came = { ...message(2), id: 'came' }
    const known = withMessage(before, came)
    expect(withAskedPage(before, known, run(1, 3)).messages).toEqual([message(1), message(2), came, message(3)])
  })

  it('brings back nothing that was known before and is not in it', () => {
    const before = { messages: run(1, 5), older: false }
    expect(seqs(withAskedPage(before, before, run(4, 5)))).toEqual([4, 5])
    expect(seqs(withAskedPage(before, before, []))).toEqual([])
  })
})

describe('a newest page', () => {
  it('that is full and does not begin at the first message may have older ones', () => {
    expect(withNewestPage(undefined, run(51, 100)).older).toBe(true)
    expect(withNewestPage(undefined, run(1, 50)).older).toBe(false)
    expect(withNewestPage(undefined, run(90, 100)).older).toBe(false)
  })

  it('that overlaps what is loaded keeps the older part and replaces the rest', () => {
    const known = { messages: run(1, 100), older: false }
    const joined = withNewestPage(known, run(61, 110))
    expect(seqs(joined)).toEqual(run(1, 110).map((each) => each.seq))
    expect(joined.older).toBe(false)
  })

  it('that does not touch what is loaded lets that go, so that no gap stays unseen', () => {
    const joined = withNewestPage({ messages: run(1, 10), older: false }, run(51, 100))
    expect(seqs(joined)[0]).toBe(51)
    expect(joined.older).toBe(true)
  })

  it('that has nothing before it lets go of what has expired since', () => {
    const joined = withNewestPage({ messages: run(1, 7), older: false }, run(5, 7))
    expect(seqs(joined)).toEqual([5, 6, 7])
    expect(joined.older).toBe(false)
  })

  it('that is empty empties the conversation', () => {
    expect(withNewestPage({ messages: run(1, 3), older: true }, [])).toEqual({ messages: [], older: false })
  })
})

describe('an older page', () => {
  it('goes before what is loaded, without doubles', () => {
    const joined = withOlderPage({ messages: run(51, 60), older: true }, run(2, 52))
    expect(seqs(joined)).toEqual(run(2, 60).map((each) => each.seq))
    expect(joined.older).toBe(true)
  })

  it('that is short is the last one', () => {
    expect(withOlderPage({ messages: run(51, 60), older: true }, run(41, 50)).older).toBe(false)
  })
})

describe('a message from the socket', () => {
  it('takes its place by sequence, also when it arrives late', () => {
    expect(seqs(withMessage({ messages: [message(1), message(3)], older: false }, message(2)))).toEqual([1, 2, 3])
    expect(seqs(withMessage({ messages: [message(2)], older: false }, message(1)))).toEqual([1, 2])
    expect(seqs(withMessage({ messages: [], older: false }, message(7)))).toEqual([7])
  })

  it('takes the place of no other that has its number', () => {
    const other = { ...message(3), id: 'other' }
    expect(withMessage({ messages: run(1, 3), older: false }, other).messages).toEqual([...run(1, 3), other])
  })

  it('heard twice is there once', () => {
    expect(seqs(withMessage({ messages: run(1, 3), older: false }, message(3)))).toEqual([1, 2, 3])
  })
})

describe('expiry', () => {
  it('takes a message at its very millisecond, not before', () => {
    const known = { messages: run(1, 3), older: false }
    expect(withoutExpired(known, 9)).toBe(known)
    expect(seqs(withoutExpired(known, 10))).toEqual([2, 3])
    expect(seqs(withoutExpired(known, 30))).toEqual([])
  })
})

describe('a long conversation', () => {
  it('is cut to its newest part, and says that there is more', () => {
    const cut = withoutOldest({ messages: run(1, 401), older: false })
    expect(seqs(cut)).toEqual(run(202, 401).map((each) => each.seq))
    expect(cut.older).toBe(true)
  })

  it('of up to 400 stays as it is', () => {
    const known = { messages: run(1, 400), older: false }
    expect(withoutOldest(known)).toBe(known)
  })
})

describe('an unread message', () => {
  const code = (of: string) => ({ kind: 'unreadable', reason: { code: of, message: '' } })
  const received = { ...message(3), mine: false, body: code('BEFORE_APPROVAL') }
  const isUnread = (change: object, readSeq?: number) => isUnreadHere({ ...received, ...change } as never, readSeq)

  it('from before the approval of this browser is not marked as read', () => {
    expect([isUnread({}), isUnread({}, 2), isUnread({}, 3)]).toEqual([true, true, false])
  })

  it('is marked where it opens, never will, or is one’s own', () => {
    for (const change of [{ body: { kind: 'text', text: '' } }, { body: code('KEY_DESTROYED') }, { mine: true }])
      expect(isUnread(change)).toBe(false)
  })
})

describe('a deleted message', () => {
  const known: History<M & { text?: string }> = { messages: run(1, 3), older: false }

  it('takes the place of what it was', () => {
    const deleted = { ...message(2), text: 'deleted' }
    expect(withReplaced(known, deleted).messages).toEqual([message(1), deleted, message(3)])
  })

  it('that is not loaded changes nothing', () => {
    expect(withReplaced(known, message(4))).toBe(known)
  })
})
