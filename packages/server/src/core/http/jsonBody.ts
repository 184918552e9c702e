import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { Clock } from '../clock.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a text of the body contains a NUL. */
    escapedNul: boolean
  }
}

/** Whether a text in this JSON, at any depth, contains a NUL: the escape follows an even number of backslashes. */
export const hasEscapedNul = (json: string): boolean =>
  json.includes(String.raw`\u0000`) && /(?<!\\)(?:\\\\)*\\u0000/.test(json)

/** PostgreSQL stores no NUL in a text, so every call rejects it, on every database and regardless of its schema. */
export function rejectNulBytes({ escapedNul, url }: FastifyRequest): void {
  if (escapedNul || url.includes('%00')) throw new AppError('INVALID_INPUT')
}

export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** A body has at least this long (ms) to arrive, and at most twice as long, because all share one interval. */
const bodyTimeoutMs = 30_000

const exempted = new WeakSet<IncomingMessage>()

/** Exempts the body of a file, whose sender was authorized: its reader enforces a pace of its own. */
export const exemptFromBodyTimeout = (raw: IncomingMessage): void => void exempted.add(raw)

/**
 * Closes connections that send a body of at most some kilobytes too slowly. All bodies share one interval: a timer for
 * each would cost every call as much as finding its session.
 */
function closeSlowBodies(app: FastifyInstance, clock: Clock): void {
  let recent = new Set<IncomingMessage>()
  let late = new Set<IncomingMessage>()
  const stop = clock.every(bodyTimeoutMs, () => {
    for (const raw of late) if (!raw.complete && !exempted.has(raw)) raw.destroy()
    late = recent
    recent = new Set()
  })
  app.addHook('onClose', async () => stop())
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request
    if (hasBody(request)) {
      recent.add(raw)
      raw.once('close', () => recent.delete(raw) || late.delete(raw))
    }
    done()
  })
}

/** Accepts only JSON as the body of a call; an empty body counts as none. zod drops unknown keys. */
export function readJsonBodies(app: FastifyInstance, clock: Clock): void {
  closeSlowBodies(app, clock)
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
