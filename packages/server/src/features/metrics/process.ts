import { performance } from 'node:perf_hooks'
import type { Core } from '../../core/core.ts'
import { version } from '../../core/config/config.ts'

/** Registers the metrics of the process itself. */
export function measureProcess({ metrics, loopDelay }: Pick<Core, 'metrics' | 'loopDelay'>): void {
  const readDelays = loopDelay.reader()
  let busy = performance.eventLoopUtilization()

  metrics.readAtScrape('privity_info', 'Always 1; the version stands in the label.', () => [
    { labels: { version }, value: 1 },
  ])
  metrics.readAtScrape(
    'process_start_time_seconds',
    'When the process started, in seconds since 1970.',
    () => Math.round(performance.timeOrigin) / 1000,
  )
  metrics.readAtScrape(
    'process_cpu_seconds_total',
    'Processor time used.',
    () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
    'counter',
  )
  metrics.readAtScrape('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
  metrics.readAtScrape('privity_memory_bytes', 'Memory of the process, by what it is for.', () => {
    const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage()
    const kinds = { heap_used: heapUsed, heap_total: heapTotal, external, array_buffers: arrayBuffers }
    return Object.entries(kinds).map(([kind, value]) => ({ labels: { kind }, value }))
  })
  metrics.readAtScrape('privity_event_loop_delay_seconds', 'How late the event loop was since the last look.', () => {
    const { median, p99, max } = readDelays()
    // Not `quantile`: that label belongs to summaries.
    const statistics = { median, p99, max }
    return Object.entries(statistics).map(([statistic, late]) => ({ labels: { statistic }, value: late / 1_000 }))
  })
  metrics.readAtScrape('privity_event_loop_busy_ratio', 'Share of the time since the last look that it worked.', () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, busy)
    busy = now
    return utilization
  })
}
