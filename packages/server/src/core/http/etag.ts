import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** onSend hook of polled calls: sets an ETag and replies 304 if the client already has this version. */
export async function etagHook(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload
  const tag = `"${hash('sha256', payload, 'base64url').slice(0, 22)}"`
  reply.header('etag', tag)
  if (request.headers['if-none-match'] !== tag) return payload
  reply.code(304).removeHeader('content-type').removeHeader('content-length')
  return ''
}
