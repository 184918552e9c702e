import type { FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the body, as it came, has the escape of a NUL in it. */
    escapedNul: boolean
  }
}

/** As JSON has it, which is also how a text about NUL looks. */
export const hasEscapedNul = (json: string): boolean => json.includes(String.raw`\u0000`)

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, held]) => key.includes('\0') || holdsNul(held))
}

/**
 * PostgreSQL keeps no NUL in a text, so no call takes one, whatever its schema says: the same on every database. Only
 * what can hold one is looked through.
 */
export function refuseNul({ escapedNul, url }: FastifyRequest, ...parts: unknown[]): void {
  if ((escapedNul || url.includes('%00')) && parts.some(holdsNul)) throw new AppError('INVALID_INPUT')
}
