import { expect, test } from 'vitest'
import type { Core } from '../../../src/core/core.ts'
import { schedule } from '../../../src/core/jobs/scheduler.ts'
import { createFakeClock } from '../../support/server/fakeClock.ts'

test('a job that is due while it runs runs once more right after, never twice at the same time', async () => {
  const clock = createFakeClock()
  const finish: (() => void)[] = []
  const run = () => new Promise<void>((resolve) => void finish.push(resolve))
  const { settled, stop } = schedule({ clock } as unknown as Core, [{ name: 'slow', every: 1000, run }])
  expect(finish).toHaveLength(1)
  clock.advance(3500)
  expect(finish).toHaveLength(1)
  finish[0]?.()
  while (finish.length < 2) await Promise.resolve()
  finish[1]?.()
  await settled()
  expect(finish).toHaveLength(2)
  clock.advance(1000)
  expect(finish).toHaveLength(3)
  const stopped = stop()
  finish[2]?.()
  await stopped
  clock.advance(5000)
  expect(finish).toHaveLength(3)
})
