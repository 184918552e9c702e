import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/**
 * Who may call: anyone, a signed-in member, an administrator of an organization, or the founder. Checked before the
 * input is looked at.
 */
export type Guard = 'public' | 'member' | 'administrator' | 'founder'

/** Which rate limit the call counts against; 'other' where nothing is said. */
export type Limit = 'signIn' | 'founderSignIn' | 'signUp' | 'send' | 'upload' | 'dataExport' | 'testAlert' | 'other'

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Fastify path: `:name` parameters, a trailing `*` for the rest. */
  path: string
  guard: Guard
  limit?: Limit
  /** How many calls one counts as against its limit, where it costs more than others; see `weightOf`. */
  weight?: number
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** Most bytes of body, where limits.jsonBodyBytes is not the right bound. */
  bodyBytes?: number
  result: z.ZodType
  /** Success status; 200 where nothing is said. */
  status?: number
  /** Changes or records something, though it is a GET: refused to other sites as the other methods are. */
  writes?: boolean
  /** Leaves no entry in the audit log, although it changes something: what it does is only counted. */
  unlogged?: boolean
  /** Asked again and again: answered with an ETag, and with 304 while nothing has changed. */
  polled?: boolean
  /** Browsers call it without anyone doing anything: it does not keep a session from ending unused. */
  byItself?: boolean
  /** Also for a member who has yet to set up the second factor that his organization requires; all others refuse him. */
  beforeFactor?: boolean
  /** Also for a founder who has yet to replace the password that the first start made; all others refuse. */
  beforePassword?: boolean
  /** Refusals beyond those every call shares (NOT_SIGNED_IN, SECOND_FACTOR_MISSING, INVALID_INPUT …). */
  errors: readonly ErrorCode[]
  /** One line for the API document. */
  summary: string
}

type Output<T> = T extends z.ZodType ? z.output<T> : undefined
type Input<T> = T extends z.ZodType ? z.input<T> : undefined

/** What a handler gets: parsed and typed. */
export interface Received<E extends Endpoint> {
  params: Output<E['params']>
  query: Output<E['query']>
  body: Output<E['body']>
}

type Part<K extends string, T> = undefined extends T ? { [P in K]?: undefined } : { [P in K]: T }

/** What a caller gives: only the parts the endpoint declares. */
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

/** How many calls a call counts as: its endpoint's weight, for every 50 rows that its `limit` asks for. */
export function weightOf({ weight = 1 }: Pick<Endpoint, 'weight'>, query: unknown): number {
  const rows = Number((query as { limit?: unknown } | undefined)?.limit ?? 0)
  return rows > rowsOfCall ? weight * Math.ceil(Math.min(rows, maxRows) / rowsOfCall) : weight
}
