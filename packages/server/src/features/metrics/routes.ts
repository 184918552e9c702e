import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { Core } from '../../core/core.ts'
import { recordDeniedCall } from '../../core/http/errorHandler.ts'
import { measureDeployment } from './deployment.ts'
import { measureProcess } from './process.ts'

const hash = (text: string) => createHash('sha256').update(text).digest()

/**
 * GET /metrics for callers with METRICS_TOKEN. For anyone else, and if no token is set, the address does not exist;
 * denials are recorded for the operator. It is not a call of the API, so the API document does not list it.
 */
export function mountMetrics(app: FastifyInstance, core: Core): void {
  const token = core.config.operations.metricsToken
  if (token === undefined) return
  const expected = hash(`Bearer ${token}`)
  measureDeployment(core)
  measureProcess(core)
  app.get('/metrics', async (request, reply) => {
    const isKnown = timingSafeEqual(hash(request.headers.authorization ?? ''), expected)
    if (!isKnown) {
      recordDeniedCall(core.deniedCalls, new AppError('NOT_FOUND'), request)
      return reply.callNotFound()
    }
    reply.header('cache-control', 'no-store')
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await core.metrics.write())
  })
}
