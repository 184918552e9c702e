import type { FastifyInstance } from 'fastify'
import { AppError } from '@privity/contract/errors'

/** JSON is the only body the calls take; an empty one is none. zod drops keys it does not know. */
export function readJsonBodies(app: FastifyInstance): void {
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
