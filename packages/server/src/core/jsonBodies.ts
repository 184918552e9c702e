import type { FastifyInstance } from 'fastify'
import { AppError } from '@privity/contract/errors'
import { uploadPath } from '@privity/contract/files'
import type { Clock } from './clock.ts'

/** How long (ms) the body of a call may take to arrive; files have as long as the server allows. */
const longestBody = 60_000

/** Ends connections that send a body of at most some kilobytes too slowly. */
function endSlowBodies(app: FastifyInstance, clock: Clock): void {
  app.addHook('onRequest', ({ raw, headers, routeOptions }, _reply, done) => {
    const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
    if (hasBody && routeOptions.url !== uploadPath) {
      const stop = clock.after(longestBody, () => {
        if (!raw.complete) raw.destroy()
      })
      raw.once('end', stop).once('close', stop)
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
