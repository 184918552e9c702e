import type * as PerfHooks from 'node:perf_hooks'
import { monitoring } from '@privity/contract/founder/monitoring'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sampleIntervalMs, watchLoopDelay } from '../../../src/core/metrics/eventLoopDelay.ts'
import { checkIntervalMs } from '../../../src/features/health/health.ts'
import { createTestServer } from '../../support/server/testServer.ts'
import { signInFounder } from '../../support/founder/founder.ts'

/** Resolutions (ms) with which Node's own monitor was started, process-wide. */
const monitored = vi.hoisted((): (number | undefined)[] => [])
/** Where set, the milliseconds by which the time that is read moves on from one reading to the next. */
const readings = vi.hoisted((): { step: number | undefined; last: number } => ({ step: undefined, last: 0 }))
vi.mock('node:perf_hooks', async (original) => {
  const hooks = await original<typeof PerfHooks>()
  const { timeOrigin } = hooks.performance
  const performance = {
    timeOrigin,
    now: () => (readings.step === undefined ? hooks.performance.now() : (readings.last += readings.step)),
    eventLoopUtilization: hooks.performance.eventLoopUtilization.bind(hooks.performance),
  }
  const monitorEventLoopDelay: typeof hooks.monitorEventLoopDelay = (options) => {
    monitored.push(options?.resolution)
    return hooks.monitorEventLoopDelay(options)
  }
  return { ...hooks, monitorEventLoopDelay, performance }
})

function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('each reader sees the worst delay since its own last read', async () => {
  const loop = watchLoopDelay()
  onTestFinished(loop.stop)
  const [one, other, never] = [loop.reader(), loop.reader(), loop.reader()]
  expect(never()).toEqual({ median: 0, p99: 0, max: 0 })
  block(400)
  let seen = one()
  await expect.poll(() => (seen = seen.max > 0 ? seen : one()).max).toBeGreaterThan(0)
  // The loop was blocked for 400 ms, of which at most one interval passed before the next measurement.
  expect(seen.max).toBeGreaterThanOrEqual(399 - sampleIntervalMs)
  expect(seen.p99).toBe(seen.max)
  expect(other().max).toBeGreaterThanOrEqual(399 - sampleIntervalMs)
  expect(other()).toEqual({ median: 0, p99: 0, max: 0 })
})

test('a loop that was late once counts in the worst of its samples, not in their median', async () => {
  const loop = watchLoopDelay()
  onTestFinished(loop.stop)
  const [read, count] = [loop.reader(), loop.reader()]
  let looks = 0
  block(150)
  while (looks < 3) {
    await new Promise(setImmediate)
    if (count().max > 0) looks += 1
  }
  const { median, max } = read()
  expect(max).toBeGreaterThanOrEqual(149 - sampleIntervalMs)
  expect(median).toBeLessThan(max)
})

test('console and metrics share one timer, 20 times a second, which ends with the server', async () => {
  const set = vi.spyOn(globalThis, 'setInterval')
  const cleared = vi.spyOn(globalThis, 'clearInterval')
  onTestFinished(() => {
    readings.step = undefined
    vi.restoreAllMocks()
  })
  // Time stands still, so no look is late, however busy the machine is.
  readings.step = 0
  const token = 'a-token-of-thirty-two-characters-or-more'
  const server = await createTestServer({ env: { METRICS_TOKEN: token, FOUNDER_PASSWORD: 'the founder' } })
  const short = set.mock.calls.flatMap(([, period], at) => (Number(period) < 1_000 ? [at] : []))
  expect([monitored, short.map((at) => set.mock.calls[at]?.[1])]).toEqual([[], [sampleIntervalMs]])
  const founder = await signInFounder(server)
  expect((await founder.call(monitoring.realtimeStats, {})).healthProblems).not.toContain('eventLoop')
  // From here on each look finds itself almost a second late.
  readings.step = 1_000
  const problems = async () => {
    await server.advance(checkIntervalMs)
    return (await founder.call(monitoring.realtimeStats, {})).healthProblems
  }
  await expect.poll(problems).toContain('eventLoop')
  const metrics = await server.visitor().fetch('/metrics', { headers: { authorization: `Bearer ${token}` } })
  expect(await metrics.text()).toMatch(/^privity_event_loop_delay_seconds\{statistic="p99"\} [\d.e-]+$/m)
  await server.close()
  const timer: unknown = set.mock.results[short[0] ?? -1]?.value
  expect(cleared.mock.calls.map(([one]) => one)).toContain(timer)
})
