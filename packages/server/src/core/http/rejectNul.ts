import type { FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a text of the body has a NUL in it. */
    escapedNul: boolean
  }
}

/** Whether any text in this JSON, however deep it stands, has a NUL in it: before the escape stands no other backslash. */
export const hasEscapedNul = (json: string): boolean =>
  json.includes(String.raw`\u0000`) && /(?<!\\)(?:\\\\)*\\u0000/.test(json)

/** PostgreSQL keeps no NUL in a text, so no call takes one, whatever its schema says: the same on every database. */
export function refuseNul({ escapedNul, url }: FastifyRequest): void {
  if (escapedNul || url.includes('%00')) throw new AppError('INVALID_INPUT')
}
