import type { createReader } from './environment.ts'

/** How the server is monitored and stopped. */
export interface OperationsConfig {
  /** Token that a scraper must send to /metrics; without it that route does not exist. */
  metricsToken: string | undefined
  /** Whether every request is logged. */
  accessLog: boolean
  drain: {
    /** How long (ms) the server goes on after a stop signal, reporting it at /api/health for load balancers. */
    delay: number
    /** How long (ms) work under way may take after that. */
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
