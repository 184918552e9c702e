import { randomFillSync } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

export const requestIdHeader = 'x-request-id'

const idBytes = 12
const pool = Buffer.alloc(idBytes * 256)
let used = pool.length

/** Random, because a number that counts would tell strangers how many requests there are. */
export function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += idBytes
  return pool.toString('base64url', used - idBytes, used)
}

/** Of the request as it stands in the log, made when it is first asked for: most requests are in no line of it. */
const ids = new WeakMap<FastifyRequest, string>()

/** A proxy that is believed about the address is believed about this; whoever else sends one is not. */
function ofProxy({ ips, headers }: FastifyRequest): string | undefined {
  const given = headers[requestIdHeader]
  const isTrusted = ips !== undefined && ips.length > 1
  return isTrusted && typeof given === 'string' && /^[\w.:-]{8,64}$/.test(given) ? given : undefined
}

export function requestIdOf(request: FastifyRequest): string {
  let id = ids.get(request)
  if (id === undefined) ids.set(request, (id = ofProxy(request) ?? newRequestId()))
  return id
}

/** Tells whoever asked how his request is called in the log. */
export const tellRequestId = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.header(requestIdHeader, requestIdOf(request))
