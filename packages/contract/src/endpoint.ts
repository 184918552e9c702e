import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/**
 * The authorization of a call: anyone, a signed-in member, an administrator of an organization, or the founder. Checked
 * before the input is parsed.
 */
export type Guard = 'public' | 'member' | 'administrator' | 'founder'

/** The rate limit that the call counts against; 'other' by default. */
export type Limit =
  | 'signIn'
  | 'founderSignIn'
  | 'signUp'
  | 'send'
  | 'upload'
  | 'dataExport'
  | 'testAlert'
  | 'directorySearch'
  | 'connectionRequest'
  | 'other'

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Fastify path: `:name` parameters, a trailing `*` for the rest. */
  path: string
  guard: Guard
  limit?: Limit
  /** The number of calls that one counts as, where it costs more than others; see `weightOf`. */
  weight?: number
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** The maximum body size in bytes, where limits.jsonBodyBytes does not fit. */
  bodyBytes?: number
  result: z.ZodType
  /** Success status; 200 by default. */
  status?: number
  /** Another status under which it sends the result, and when it does. */
  otherStatus?: { status: number; when: string }
  /** A GET that changes or records something: refused to other sites as the other methods are. */
  writes?: boolean
  /** Not written to the audit log although it changes something: it is only counted. */
  unlogged?: boolean
  /** Polled: the response has an ETag, and is 304 while nothing has changed. */
  polled?: boolean
  /** Called by browsers without user action: it does not extend a session. */
  byItself?: boolean
  /**
   * Allowed for a member who must first set up the second factor that the organization requires; all other calls refuse
   * them.
   */
  beforeFactor?: boolean
  /** Allowed for a founder who must first replace the generated password; all other calls refuse them. */
  beforePassword?: boolean
  /** Errors beyond those that every call shares (NOT_SIGNED_IN, SECOND_FACTOR_MISSING, INVALID_INPUT …). */
  errors?: readonly ErrorCode[]
  /** One line for the API document. */
  summary: string
}

type Output<T> = T extends z.ZodType ? z.output<T> : undefined
type Input<T> = T extends z.ZodType ? z.input<T> : undefined

/** The parsed and typed input of a handler. */
export interface Received<E extends Endpoint> {
  params: Output<E['params']>
  query: Output<E['query']>
  body: Output<E['body']>
}

type Part<K extends string, T> = undefined extends T ? { [P in K]?: undefined } : { [P in K]: T }

/** The input of a caller: only the parts that the endpoint declares. */
export type Sent<E extends Endpoint> = Part<'params', Input<E['params']>> &
  Part<'query', Input<E['query']>> &
  Part<'body', Input<E['body']>>

export type Result<E extends Endpoint> = z.output<E['result']>

export function endpoint<const E extends Endpoint>(declared: E): E {
  return declared
}

/** The rows of a page that count as one call. */
const rowsOfCall = 50
const maxRows = 200

/** Returns the number of calls that a call counts as: the endpoint's weight for every 50 rows of its `limit`. */
export function weightOf({ weight = 1 }: Pick<Endpoint, 'weight'>, query: unknown): number {
  const rows = Number((query as { limit?: unknown } | undefined)?.limit ?? 0)
  return rows > rowsOfCall ? weight * Math.ceil(Math.min(rows, maxRows) / rowsOfCall) : weight
}
