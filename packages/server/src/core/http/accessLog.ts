import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requestIdOf, addRequestIdHeader } from './requestIds.ts'

/** Returns the route as declared, because the parameters in the address are private. */
export const routeOf = ({ method, routeOptions }: FastifyRequest): string =>
  `${method} ${routeOptions.url ?? 'unknown address'}`

/** Logs one line for each request, without address, body, cookie, name or browser. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    addRequestIdHeader(request, reply)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10
    request.log.info(
      { requestId: requestIdOf(request), route: routeOf(request), status: reply.statusCode, ms },
      'request',
    )
    done()
  })
}
