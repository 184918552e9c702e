import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from '@privity/contract/errors'
import { uploadPath } from '@privity/contract/files'
import type { Clock } from './clock.ts'

/** The body of a call may take this long (ms) to arrive, and up to as much again; files have as long as the server allows. */
const patience = 30_000

/**
 * Ends connections that send a body of at most some kilobytes too slowly. All bodies share one interval: a timer for
 * each would cost every call as much as finding its session does.
 */
function endSlowBodies(app: FastifyInstance, clock: Clock): void {
  let recent = new Set<IncomingMessage>()
  let late = new Set<IncomingMessage>()
  const stop = clock.every(patience, () => {
    for (const raw of late) if (!raw.complete) raw.destroy()
    late = recent
    recent = new Set()
  })
  app.addHook('onClose', async () => stop())
  app.addHook('onRequest', ({ raw, headers, routeOptions }, _reply, done) => {
    const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
    if (hasBody && routeOptions.url !== uploadPath) {
      recent.add(raw)
      raw.once('close', () => recent.delete(raw) || late.delete(raw))
    }
    done()
  })
}

/** JSON is the only body the calls take; an empty one is none. zod drops keys it does not know. */
export function readJsonBodies(app: FastifyInstance, clock: Clock): void {
  endSlowBodies(app, clock)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text.length === 0) return done(null, undefined)
    try {
      done(null, JSON.parse(text as string))
    } catch {
      done(new AppError('INVALID_INPUT'))
    }
  })
}
