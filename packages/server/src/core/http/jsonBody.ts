import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { Clock } from '../clock.ts'
import { hasEscapedNul } from './rejectNul.ts'

/** The body of a call may take this long (ms) to arrive, and up to as much again. */
const patience = 30_000

const unhurried = new WeakSet<IncomingMessage>()

/** For the body of a file, whose sender was let in: whoever reads it sees to its pace. */
export const takeTime = (raw: IncomingMessage): void => void unhurried.add(raw)

/**
 * Ends connections that send a body of at most some kilobytes too slowly. All bodies share one interval: a timer for
 * each would cost every call as much as finding its session does.
 */
function endSlowBodies(app: FastifyInstance, clock: Clock): void {
  let recent = new Set<IncomingMessage>()
  let late = new Set<IncomingMessage>()
  const stop = clock.every(patience, () => {
    for (const raw of late) if (!raw.complete && !unhurried.has(raw)) raw.destroy()
    late = recent
    recent = new Set()
  })
  app.addHook('onClose', async () => stop())
  app.addHook('onRequest', ({ raw, headers }, _reply, done) => {
    const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
    if (hasBody) {
      recent.add(raw)
      raw.once('close', () => recent.delete(raw) || late.delete(raw))
    }
    done()
  })
}

/** JSON is the only body the calls take; an empty one is none. zod drops keys it does not know. */
export function readJsonBodies(app: FastifyInstance, clock: Clock): void {
  endSlowBodies(app, clock)
  app.decorateRequest('escapedNul', false)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) return done(null, undefined)
    request.escapedNul = hasEscapedNul(text as string)
    try {
      done(null, JSON.parse(text as string))
    } catch {
      done(new AppError('INVALID_INPUT'))
    }
  })
}
