import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorCode, errors } from '@privity/contract/errors'
import { addRequestIdHeader, requestIdOf, routeOf } from './accessLog.ts'
import type { Bus } from '../cluster/bus.ts'
import type { Db } from '../database/types.ts'
import { isForeignKeyViolation, toAppError } from '../database/errors.ts'
import { networkOf } from '../rateLimits/rateLimits.ts'
import type { DeniedCalls } from '../metrics/deniedCalls.ts'

const frameworkErrorCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'INVALID_INPUT',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'INVALID_INPUT',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'INVALID_INPUT',
  FST_ERR_BAD_URL: 'NOT_FOUND',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
}

/** Converts any failure to an error code of the contract. */
export function toRefusal(error: unknown): AppError {
  const known = toAppError(error)
  if (known instanceof AppError) return known
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  const mapped = code === undefined ? undefined : frameworkErrorCodes[code]
  if (mapped !== undefined) return new AppError(mapped)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new AppError('INVALID_INPUT')
  return new AppError('INTERNAL', { cause: error })
}

/** Whether the caller has gone in the middle of the body, and nothing else has failed. */
const isCutOff = (error: unknown, { raw }: FastifyRequest): boolean =>
  raw.destroyed && !raw.complete && (error as { code?: string } | undefined)?.code === 'ECONNRESET'

/** Sends any failure as an ErrorBody; internal causes go to the log only. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(error)
  const about = { requestId: requestIdOf(request), route: routeOf(request) }
  if (refusal.status >= 500 && !isCutOff(refusal.cause, request))
    request.log.error({ ...about, err: refusal.cause ?? refusal }, refusal.code)
  else request.log.debug({ ...about, code: refusal.code }, 'refused')
  addRequestIdHeader(request, reply)
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter))
  return reply.code(refusal.status).type('application/json; charset=utf-8').send(refusal.toBody())
}

/**
 * A foreign key violation is a defect, unless the caller's account was deleted during the call: then the call's rows
 * have lost their owner.
 */
async function explainForeignKeyViolation(error: unknown, { caller }: FastifyRequest, db: Db): Promise<unknown> {
  if (caller === undefined) return error
  const user = await db.read.get('select 1 from users where id = ?', [caller.userId])
  return user === undefined ? new AppError('NOT_SIGNED_IN', { cause: error }) : error
}

const accountOf = ({ caller, founder }: FastifyRequest) => caller?.userId ?? (founder && 'founder')

/** Counts and logs a refusal, except for an address without a route, which carries no information. */
export function recordDeniedCall(deniedCalls: DeniedCalls, refusal: AppError, request: FastifyRequest): void {
  if (request.routeOptions.url === undefined) return
  deniedCalls.record(refusal, {
    requestId: requestIdOf(request),
    route: routeOf(request),
    account: accountOf(request),
    network: networkOf(request.ip),
  })
}

export function handleErrors(app: FastifyInstance, db: Db, bus: Bus, deniedCalls: DeniedCalls): void {
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = toRefusal(
      isForeignKeyViolation(error) ? await explainForeignKeyViolation(error, request, db) : error,
    )
    recordDeniedCall(deniedCalls, refusal, request)
    sendError(refusal, request, reply)
    if (reply.statusCode === errors.INTERNAL.status) bus.publish('internalError', { route: routeOf(request) })
    return reply
  })
}
