import type { createReader } from './environment.ts'

/** How the server is watched and stopped. */
export interface OperationsConfig {
  /** What a scraper of /metrics says; without it there is no such address. */
  metricsToken: string | undefined
  /** Whether every request is a line of the log. */
  accessLog: boolean
  drain: {
    /** How long (ms) it serves on after it was told to stop, saying at /api/health that it does: for a balancer to notice. */
    delay: number
    /** How long (ms) what is under way may take from then on. */
    time: number
  }
}

const shortestToken = 32

export function readOperations(read: ReturnType<typeof createReader>): OperationsConfig {
  const metricsToken = read.text('METRICS_TOKEN')
  if (metricsToken !== undefined && !/^[\w.~+/=-]+$/.test(metricsToken))
    read.problem('METRICS_TOKEN has characters that a header cannot carry: use letters, digits and . _ ~ + / = -.')
  else if (metricsToken !== undefined && metricsToken.length < shortestToken)
    read.problem(`METRICS_TOKEN is too short: use ${shortestToken} random characters or more.`)
  return {
    metricsToken,
    accessLog: read.flag('ACCESS_LOG') ?? false,
    drain: {
      delay: read.duration('DRAIN_DELAY', 0, 0, 10 * 60_000),
      time: read.duration('DRAIN_TIME', 8_000, 1_000, 60 * 60_000),
    },
  }
}
