import type { FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'

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
