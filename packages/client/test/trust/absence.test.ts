import type { EpochKey } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { expect, test } from 'vitest'
import { presentSince } from '../../src/trust/absence.ts'

const minute = 60_000
const madeAt = 1_800_000_000_000
const since = (startsAfter: number) => presentSince({ createdAt: madeAt, startsAt: madeAt + startsAfter } as EpochKey)

test.each([
  ['begins when it is made', 0],
  ['begins less than a minute later, by another reading of the clock', minute - 1],
  ['comes two epochs after one that does', 2 * limits.epochDuration + minute - 1],
  ['comes two epochs after one that begins a moment before it is made', 2 * limits.epochDuration - minute + 1],
  ['may have replaced the second epoch after an absence', limits.epochDuration / 2],
])('a contact is there since the epoch was made, if it %s', (_what, startsAfter) => {
  expect(since(startsAfter)).toBe(madeAt)
})

test.each([
  ['more than an epoch and a minute after it is made', limits.epochDuration + minute + 1],
  ['one and a half epochs after it is made', 1.5 * limits.epochDuration],
  ['two epochs and more than a minute after it is made', 2 * limits.epochDuration + minute + 1],
])('a contact was there before the epoch was made, if it begins %s', (_what, startsAfter) => {
  expect(since(startsAfter)).toBe(-Infinity)
})
