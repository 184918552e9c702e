import type { FastifyInstance } from 'fastify'
import { errors } from '@privity/contract/errors'
import type { Histogram, Metrics } from './metrics.ts'
import type { BatchWatch } from '../database/types.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    measured?: Measured
  }
}

/** Counters of one route, created with the route so that a request needs no lookup. */
interface Measured {
  count(status: number, seconds: number): void
}

/** Seconds. The slow end is for uploads and downloads. */
const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

/** Returns a function that counts a refused request by its status, also one that no route has seen. */
export function countRefusals(metrics: Metrics): (status: number) => void {
  const refusals = metrics.counter('privity_http_refusals_total', 'Requests refused, by status: 429 is a rate limit.')
  // Counters exist from the start with 0: `increase` misses the first count of one that appears with 1.
  for (const { status } of Object.values(errors)) refusals({ status: `${status}` })
  return (status) => refusals({ status: `${status}` }).add()
}

/** Counts requests by declared route. Call it before any route is added. */
export function measureRequests(app: FastifyInstance, metrics: Metrics, countRefusal: (status: number) => void): void {
  const requests = metrics.counter('privity_http_requests_total', 'Requests answered, by route and class of status.')
  const durations = metrics.histogram(
    'privity_http_request_duration_seconds',
    'From the arrival of a request to the end of its answer.',
    requestSeconds,
  )

  function measure(method: string, route: string): Measured {
    const classes = [2, 3, 4, 5].map((digit) => requests({ method, route, status: `${digit}xx` }))
    // Created when first observed: buckets of unused routes would make each scrape four times as long.
    let duration: Histogram | undefined
    return {
      count(status, seconds) {
        classes[Math.floor(status / 100) - 2]?.add()
        duration ??= durations({ method, route })
        duration.observe(seconds)
      },
    }
  }
  const unknownRoute = measure('any', 'none')

  app.addHook('onRoute', (route) => {
    const method = Array.isArray(route.method) ? route.method.join(',') : route.method
    route.config = { ...route.config, measured: measure(method, route.url) }
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { measured = unknownRoute } = request.routeOptions.config
    measured.count(reply.statusCode, reply.elapsedTime / 1000)
    if (reply.statusCode >= 400) countRefusal(reply.statusCode)
    done()
  })
}

const batchSizes = [1, 2, 5, 10, 20, 50, 100, 200]
const batchSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15]

export function measureBatches(metrics: Metrics): BatchWatch {
  const size = metrics.histogram('privity_db_batch_calls', 'Calls that shared one transaction.', batchSizes)()
  const duration = metrics.histogram('privity_db_batch_seconds', 'Until a transaction was durable.', batchSeconds)()
  const repeats = metrics.counter('privity_db_repeats_total', 'Transactions done again: conflicts, lost connections.')()
  return {
    batch(calls, took) {
      size.observe(calls)
      duration.observe(took)
    },
    repeated: () => repeats.add(),
  }
}
