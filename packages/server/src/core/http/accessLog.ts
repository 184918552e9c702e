import { randomFillSync } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export const requestIdHeader = 'x-request-id'

const idBytes = 12
const randomPool = Buffer.alloc(idBytes * 256)
let usedBytes = randomPool.length

/** Random, because a counter would reveal the number of requests to strangers. */
export function newRequestId(): string {
  if (usedBytes === randomPool.length) {
    randomFillSync(randomPool)
    usedBytes = 0
  }
  usedBytes += idBytes
  return randomPool.toString('base64url', usedBytes - idBytes, usedBytes)
}

/** The request's id in the log, made when it is first needed: most requests appear in no line of the log. */
const ids = new WeakMap<FastifyRequest, string>()

/** Accepts the id from a proxy that is trusted about the address, and from no other sender. */
function idFromProxy({ ips, headers }: FastifyRequest): string | undefined {
  const given = headers[requestIdHeader]
  const isTrusted = ips !== undefined && ips.length > 1
  return isTrusted && typeof given === 'string' && /^[\w.:-]{8,64}$/.test(given) ? given : undefined
}

export function requestIdOf(request: FastifyRequest): string {
  let id = ids.get(request)
  if (id === undefined) ids.set(request, (id = idFromProxy(request) ?? newRequestId()))
  return id
}

/** Adds the request's id in the log to the response. */
export const addRequestIdHeader = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.header(requestIdHeader, requestIdOf(request))

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
