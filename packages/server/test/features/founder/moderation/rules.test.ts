import { describe, expect, test } from 'vitest'
import { createHistories } from '../../../../src/features/founder/moderation/histories.ts'
import { findSuspicious } from '../../../../src/features/founder/moderation/findSuspicious.ts'
import {
  findBulk,
  findRapid,
  findRepeated,
  type Finding,
  oncePerWindow,
} from '../../../../src/features/founder/moderation/rules.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const start = Date.UTC(2030, 0, 31, 12)
const every = (count: number, apart: number, from = start) => Array.from({ length: count }, (_, i) => from + i * apart)
const positions = (findings: Finding[]) => findings.map(({ position }) => position)

/** Findings for messages to one person, who replies at the times `replies`. */
const rapid = (at: number[], replies: number[] = []) => {
  const to = (times: number[]) => ({ at: times, connection: times.map(() => 'one') })
  return findRapid(to(at), () => to(replies))
}

describe('rapid sending', () => {
  test('is not an ordinary quick conversation: messages that were answered do not count', () => {
    expect(rapid(every(40, second), [start + 12 * second, start + 30 * second])).toEqual([])
    expect(rapid(every(40, second), [start + 12 * second]).map(({ amount }) => amount)).toEqual(
      Array.from({ length: 9 }, (_, i) => 20 + i),
    )
  })

  test('is a flood that begins anew after each answer', () => {
    expect(rapid(every(60, second / 2), [start + 3 * second]).at(0)).toEqual({ position: 25, amount: 20 })
  })

  test('is not excused by an answer of somebody else', () => {
    const [at, connection] = [every(20, second), Array.from({ length: 20 }, () => 'one')]
    expect(findRapid({ at, connection }, () => ({ at: [start + second], connection: ['other'] }))).toHaveLength(1)
  })

  test('is the 20th message within 60 seconds, not the 19th', () => {
    expect(rapid(every(19, second))).toEqual([])
    expect(rapid(every(20, second))).toEqual([{ position: 19, amount: 20 }])
    expect(rapid(every(20, 0))).toEqual([{ position: 19, amount: 20 }])
  })

  test('ends where the first is 60 seconds old, to the millisecond', () => {
    const within = [...every(19, second), start + minute - 1]
    expect(rapid(within)).toEqual([{ position: 19, amount: 20 }])
    const beyond = [...every(19, second), start + minute]
    expect(rapid(beyond)).toEqual([])
  })

  test('is every message that stands so, and counts those up to it', () => {
    expect(rapid(every(25, second)).map(({ amount }) => amount)).toEqual([20, 21, 22, 23, 24, 25])
    // One a second for five minutes, so never more than 60 in 60 seconds.
    const steady = rapid(every(300, second))
    expect([steady.length, Math.max(...steady.map(({ amount }) => amount))]).toEqual([281, 60])
    expect(rapid(every(300, 3.2 * second))).toEqual([])
    expect(rapid([])).toEqual([])
  })
})

describe('bulk messaging', () => {
  const to = (count: number) => Array.from({ length: count }, (_, i) => `connection ${i}`)

  test('is the tenth recipient within 10 minutes, not the ninth', () => {
    expect(findBulk({ at: every(9, minute), connection: to(9) })).toEqual([])
    expect(findBulk({ at: every(10, minute), connection: to(10) })).toEqual([{ position: 9, amount: 10 }])
  })

  test('counts people, not messages', () => {
    const nine = Array.from({ length: 200 }, (_, i) => `connection ${i % 9}`)
    expect(findBulk({ at: every(200, second), connection: nine })).toEqual([])
    const tenth = [...nine, 'connection 9']
    expect(findBulk({ at: every(201, second), connection: tenth })).toEqual([{ position: 200, amount: 10 }])
  })

  test('ends where the first is 10 minutes old, to the millisecond', () => {
    const nine = every(9, minute)
    const at = (last: number) => ({ at: [...nine, start + last], connection: to(10) })
    expect(positions(findBulk(at(10 * minute - 1)))).toEqual([9])
    expect(findBulk(at(10 * minute))).toEqual([])
  })

  test('forgets a recipient only with the last message to them', () => {
    const at = [start, start + 5 * minute, ...every(9, second, start + 11 * minute)]
    const connection = ['a', 'a', ...to(9)]
    expect(positions(findBulk({ at, connection }))).toEqual([10])
    expect(findBulk({ at, connection: ['a', 'connection 0', ...to(9)] })).toEqual([])
  })
})

describe('repeated content', () => {
  const same = (count: number, apart: number, tag = 'tag') => ({
    at: every(count, apart),
    tags: new Map(every(count, apart).map((_, i) => [i, tag])),
  })

  test('is the fifth equal tag within 24 hours, not the fourth', () => {
    expect(findRepeated(same(4, hour))).toEqual([])
    expect(findRepeated(same(5, hour))).toEqual([{ position: 4, amount: 5, tag: 'tag' }])
  })

  test('ends where the first is 24 hours old, to the millisecond', () => {
    const within = { ...same(5, hour), at: [...every(4, hour), start + 24 * hour - 1] }
    expect(findRepeated(within)).toEqual([{ position: 4, amount: 5, tag: 'tag' }])
    expect(findRepeated({ ...within, at: [...every(4, hour), start + 24 * hour] })).toEqual([])
  })

  test('compares tags, whatever stands between, and counts messages without one for nothing', () => {
    const tags = new Map(Array.from({ length: 9 }, (_, i) => [2 * i, i % 2 === 0 ? 'one' : 'other']))
    expect(findRepeated({ at: every(18, minute), tags })).toEqual([{ position: 16, amount: 5, tag: 'one' }])
  })
})

describe('one flag for each time of a rule', () => {
  const at = every(300, second)
  const fresh = { flagged: [], scannedUntil: 0 }
  const pick = ({ flagged, scannedUntil } = fresh as { flagged: number[]; scannedUntil: number }, times = at) => {
    const before = { flagged: flagged.map((time) => ({ at: time, tag: null })), scannedUntil }
    return oncePerWindow(rapid(times), times, minute, before)
  }

  test('a flood of five minutes is one a minute', () => {
    expect(positions(pick())).toEqual([19, 79, 139, 199, 259])
  })

  test('scanned again, the same gives nothing', () => {
    const flagged = pick().map(({ position }) => at[position] as number)
    expect(pick({ flagged, scannedUntil: 0 })).toEqual([])
    expect(pick({ flagged: [], scannedUntil: at.at(-1) as number })).toEqual([])
  })

  test('an interrupted scan is finished by the next', () => {
    const flagged = pick().map(({ position }) => at[position] as number)
    expect(positions(pick({ flagged: flagged.slice(0, 2), scannedUntil: 0 }))).toEqual([139, 199, 259])
  })

  test('what has expired since brings nothing back', () => {
    const scannedUntil = at.at(-1) as number
    for (const gone of [1, 19, 20, 50, 79, 80, 200]) {
      const left = at.slice(gone)
      const flagged = pick().flatMap(({ position }) => (position >= gone ? [at[position] as number] : []))
      expect(pick({ flagged, scannedUntil }, left), `${gone} gone`).toEqual([])
    }
  })

  test('what goes on is flagged again once the time is over', () => {
    const [first, more] = [at.slice(0, 100), at]
    const flagged = pick(fresh, first).map(({ position }) => first[position] as number)
    expect(positions(pick({ flagged, scannedUntil: first.at(-1) as number }, more))).toEqual([139, 199, 259])
  })
})

describe('one sender who wants to bury the others', () => {
  interface Sent {
    at: number
    connection: string
    tag: string | null
  }
  const scan = (sent: Sent[], before: ReturnType<typeof findSuspicious> = [], scannedUntil = 0) => {
    const histories = createHistories()
    for (const [until, { at, connection, tag }] of sent.entries()) histories.add([until, 'eve', connection, at, tag])
    const [[sender, history]] = [...histories.bySender()] as [[string, never]]
    const flagged = (rule: string) =>
      before.filter((flag) => flag.rule === rule).map((flag) => ({ at: flag.at, tag: flag.repetition }))
    return findSuspicious(sender, history, flagged, scannedUntil)
  }
  const count = (found: ReturnType<typeof findSuspicious>) =>
    Object.fromEntries(['rapid', 'bulk', 'repeated'].map((rule) => [rule, found.filter((f) => f.rule === rule).length]))
  /** Messages at the maximum rate, to changing recipients, each text five times. */
  const flood = (hours: number): Sent[] =>
    every(hours * 21_600, second / 6).map((at, i) => ({
      at,
      connection: `c${i % 500}`,
      tag: `tag ${Math.floor(i / 5)}`,
    }))

  test('gets 60 flags of an hour by any rule, however many tags they make up', () => {
    expect(count(scan(flood(1)))).toEqual({ rapid: 60, bulk: 6, repeated: 60 })
  })

  test('gets no more of five hours, only the newest, and nothing when scanned again', () => {
    const sent = flood(5)
    const last = sent.at(-1)?.at as number
    const found = scan(sent)
    expect(count(found)).toEqual({ rapid: 60, bulk: 30, repeated: 60 })
    const repeated = found.filter(({ rule }) => rule === 'repeated')
    expect(Math.min(...repeated.map(({ at }) => at))).toBeGreaterThan(last - hour - minute)
    expect(scan(sent, found, last - minute)).toEqual([])
  })

  test('hides no other text behind one that is harmless', () => {
    const send = (tag: string, from: number) => every(5, 10 * second, from).map((at) => ({ at, connection: 'c', tag }))
    const harmless = scan(send('ok', start))
    expect(harmless).toMatchObject([{ rule: 'repeated', repetition: 'ok' }])
    const then = [...send('ok', start), ...send('ok', start + minute), ...send('spam', start + 2 * minute)]
    expect(scan(then, harmless, start + minute - 1)).toMatchObject([{ rule: 'repeated', repetition: 'spam' }])
  })
})

describe('a history', () => {
  test('knows the answers of those whom its sender writes to, and no others', () => {
    const histories = createHistories()
    histories.add([1, 'anna', 'with ben', start, null])
    histories.add([2, 'ben', 'with ben', start + 2, null])
    histories.add([3, 'ben', 'with carla', start + 3, null])
    histories.add([4, 'ben', 'with ben', start + 1, null])
    const [, anna] = [...histories.bySender()].find(([senderId]) => senderId === 'anna') ?? []
    expect(anna?.replies()).toEqual({ at: [start + 1, start + 2], connection: ['with ben', 'with ben'] })
  })

  test('is each sender’s own, in the order of time whatever order it is read in', () => {
    const histories = createHistories()
    const rows = every(40, second).map((time, i) => [i, i % 2 ? 'anna' : 'ben', `c${i % 3}`, time, null] as const)
    for (const row of rows.toReversed()) histories.add(row)
    const [ben, anna] = [...histories.bySender()].toSorted(([one], [other]) => (one < other ? 1 : -1))
    expect([ben?.[0], anna?.[0]]).toEqual(['ben', 'anna'])
    expect(anna?.[1].at).toEqual(rows.filter(([, sender]) => sender === 'anna').map(([, , , time]) => time))
    expect(anna?.[1].until).toEqual(rows.filter(([, sender]) => sender === 'anna').map(([until]) => until))
  })

  test('keeps each tag with its message when it is put in order', () => {
    const histories = createHistories()
    for (const [i, time] of every(6, hour).toReversed().entries())
      histories.add([i, 'anna', 'c', time, i === 0 ? 'last' : 'tag'])
    const [[sender, history]] = [...histories.bySender()] as [[string, never]]
    const found = findSuspicious(sender, history, () => [], 0)
    expect(found).toEqual([
      {
        rule: 'repeated',
        senderId: 'anna',
        connectionId: 'c',
        at: start + 4 * hour,
        expiresAt: 1,
        amount: 5,
        repetition: 'tag',
      },
    ])
  })
})

test('all rules at once, each with its own flags, in the order of time', () => {
  const histories = createHistories()
  for (const [i, time] of every(30, second).entries())
    histories.add([100 + i, 'anna', `c${i % 12}`, time, i < 25 ? null : 'tag'])
  const [[sender, history]] = [...histories.bySender()] as [[string, never]]
  const found = findSuspicious(sender, history, () => [], 0)
  expect(found.map(({ rule, expiresAt, amount }) => [rule, expiresAt, amount])).toEqual([
    ['bulk', 109, 10],
    ['rapid', 119, 20],
    ['repeated', 129, 5],
  ])
  const before = (rule: string) => (rule === 'bulk' ? [{ at: start + 5 * second, tag: null }] : [])
  expect(findSuspicious(sender, history, before, 0).map(({ rule }) => rule)).toEqual(['rapid', 'repeated'])
})
