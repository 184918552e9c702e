import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Metrics } from '../../core/metrics.ts'
import { version } from '../../core/version.ts'

/** Between two looks at the clock, ms; the delay is what comes on top. */
const resolution = 20

/** What is known of the process by itself. Answers what ends it. */
export function measureProcess(metrics: Metrics): () => void {
  const loop = monitorEventLoopDelay({ resolution })
  loop.enable()
  let busy = performance.eventLoopUtilization()

  metrics.gauge('privity_info', 'Always 1; the version stands in the label.', () => [{ labels: { version }, value: 1 }])
  metrics.gauge(
    'process_start_time_seconds',
    'When the process started, in seconds since 1970.',
    () => Math.round(performance.timeOrigin) / 1000,
  )
  metrics.gauge(
    'process_cpu_seconds_total',
    'Processor time used.',
    () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
    'counter',
  )
  metrics.gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
  metrics.gauge('privity_memory_bytes', 'Memory of the process, by what it is for.', () => {
    const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage()
    const kinds = { heap_used: heapUsed, heap_total: heapTotal, external, array_buffers: arrayBuffers }
    return Object.entries(kinds).map(([kind, value]) => ({ labels: { kind }, value }))
  })
  metrics.gauge('privity_event_loop_delay_seconds', 'How late the event loop was since the last look.', () => {
    const shares = [50, 99, 100].map((share) => {
      const delay = loop.count === 0 ? 0 : Math.max(0, loop.percentile(share) / 1e6 - resolution) / 1000
      return { labels: { quantile: `${share / 100}` }, value: delay }
    })
    loop.reset()
    return shares
  })
  metrics.gauge('privity_event_loop_busy_ratio', 'Share of the time since the last look that it worked.', () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, busy)
    busy = now
    return utilization
  })
  return () => loop.disable()
}
