import type { FastifyBaseLogger } from 'fastify'
import { type AppError, errors, type ErrorCode } from '@privity/contract/errors'
import type { Clock } from '../clock.ts'
import type { Counter, Metrics } from './metrics.ts'

export interface DeniedCall {
  requestId: string
  /** The route as declared, without the values of its parameters. */
  route: string
  /** An account's id, or 'founder'; undefined without a session. */
  account: string | undefined
  /** The caller's network, which limits the log lines of callers without an account. Never logged. */
  network: string
}

export interface DeniedCalls {
  /** Counts and logs a denied call. */
  record(refusal: AppError, call: DeniedCall): void
}

/** Log lines per minute of an account, or of a network without one: a flood must not fill the disk. */
export const maxLinesPerMinute = 60

/** Whether it denies access: no permission (403), nothing of the caller by that name (404), or a rate limit (429). */
const isDenial = (code: ErrorCode) => [403, 404, 429].includes(errors[code].status)

/** Records, for the operator, refusals that may be attempts to access data of other people. */
export function createDeniedCalls(clock: Clock, metrics: Metrics, log: FastifyBaseLogger): DeniedCalls {
  const counter = metrics.counter(
    'privity_denied_calls_total',
    'Calls denied, by error code: no permission (403), nothing of the caller by that name (404), a rate limit (429).',
  )
  const counters = new Map<ErrorCode, Counter>()
  for (const code of Object.keys(errors) as ErrorCode[]) if (isDenial(code)) counters.set(code, counter({ code }))

  let lines = new Map<string, number>()
  clock.every(60_000, () => void (lines = new Map()))

  return {
    record({ code }, { requestId, route, account, network }) {
      const counted = counters.get(code)
      if (counted === undefined) return
      counted.add()
      const source = account ?? network
      const count = (lines.get(source) ?? 0) + 1
      lines.set(source, count)
      if (count <= maxLinesPerMinute) log.info({ requestId, route, code, account }, 'refused')
    },
  }
}
