import type { FastifyBaseLogger } from 'fastify'
import { type AppError, errors, type ErrorCode } from '@privity/contract/errors'
import type { Clock } from '../clock.ts'
import type { Counter, Metrics } from './metrics.ts'

export interface Refused {
  requestId: string
  /** As it is declared, without the values of its parameters. */
  route: string
  /** An account's id, or 'founder'; undefined where no session was found or none was looked for. */
  account: string | undefined
  /** The caller's network: limits the lines of callers without an account. Never logged. */
  network: string
}

export interface Refusals {
  /** Counts a call that was denied, and logs it. */
  note(refusal: AppError, refused: Refused): void
}

/** An account, or a network without one, leaves at most so many lines a minute: a flood must not fill the disk. */
export const linesAMinute = 60

/** No permission, nothing of that name that is the caller's, a rate limit. */
const isDenial = (code: ErrorCode) => [403, 404, 429].includes(errors[code].status)

/** Refusals that may be attempts at something of others, for the operator. */
export function createRefusals(clock: Clock, metrics: Metrics, log: FastifyBaseLogger): Refusals {
  const counter = metrics.counter(
    'privity_denied_calls_total',
    'Calls denied, by error code: no permission (403), nothing of the caller by that name (404), a rate limit (429).',
  )
  const counters = new Map<ErrorCode, Counter>()
  for (const code of Object.keys(errors) as ErrorCode[]) if (isDenial(code)) counters.set(code, counter({ code }))

  let lines = new Map<string, number>()
  clock.every(60_000, () => void (lines = new Map()))

  return {
    note({ code }, { requestId, route, account, network }) {
      const counted = counters.get(code)
      if (counted === undefined) return
      counted.add()
      const source = account ?? network
      const count = (lines.get(source) ?? 0) + 1
      lines.set(source, count)
      if (count <= linesAMinute) log.info({ requestId, route, code, account }, 'refused')
    },
  }
}
