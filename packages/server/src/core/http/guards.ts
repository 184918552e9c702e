import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { type Endpoint, type Limit, weightOf } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import type { Core } from '../core.ts'
import { hasBody } from './jsonBody.ts'
import { isOwnOrigin } from './originCheck.ts'
import { networkOf } from '../rateLimits/rateLimits.ts'
import type { UserRow } from '../database/tables/users.ts'
import type { Session } from '../sessions/sessions.ts'
import { rateLimits } from '@privity/contract/limits'

/** The caller of a member endpoint. */
export interface Caller {
  userId: string
  sessionId: string
  /** SHA-256 of the token that the call came with; the session may have been renewed since. */
  tokenHash: string
  address: string
  /** Whether the session's cookies end with the browser. */
  sharedComputer: boolean
}

/** The founder as the caller of a founder endpoint. */
export interface Founder {
  sessionId: string
  /** See Caller. */
  tokenHash: string
  address: string
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    founder: Founder | undefined
  }
}

/** Returns the caller that a member guard has authorized. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw new AppError('NOT_SIGNED_IN')
  return request.caller
}

/** Returns the founder that a founder guard has authorized. */
export function founderOf(request: FastifyRequest): Founder {
  if (request.founder === undefined) throw new AppError('NOT_FOUNDER')
  return request.founder
}

/** Key by which the founder's calls are rate limited. */
const founderKey = 'founder'

/**
 * Creates the hooks of an endpoint. Before the input is read, the first checks in this order: Origin, session, rate
 * limit, and the second factor if the organization requires one (for the founder: that the password generated at the
 * first start was replaced). A body may take a minute to arrive, in which the session can end: the second authorizes
 * the call again. Uploads are read by their handler, after both, and are aborted when their session ends.
 */
export function guard(
  core: Core,
  {
    method,
    guard: kind,
    limit = 'other',
    byItself,
    beforeFactor = false,
    beforePassword = false,
    writes = method !== 'GET',
    unlogged = false,
    weight,
  }: Pick<
    Endpoint,
    'method' | 'guard' | 'limit' | 'byItself' | 'beforeFactor' | 'beforePassword' | 'writes' | 'unlogged' | 'weight'
  >,
) {
  const needsSession = kind === 'member' || kind === 'administrator'
  const byAccount = rateLimits[limit].by === 'account'
  const { track } = core.background
  /** Whether it also counts as a change. Calls with their own limit have a far lower one; the rest write no entry. */
  const isLogged = needsSession && writes && limit === 'other' && !unlogged

  const weightOfCall = ({ query }: FastifyRequest) => weightOf({ weight }, query)

  function countCall(request: FastifyRequest, session: Session | undefined): void {
    const counted: Limit = session === undefined && needsSession ? 'other' : limit
    core.rates.take(
      counted,
      byAccount && session !== undefined ? session.userId : networkOf(request.ip),
      weightOfCall(request),
    )
    if (isLogged && session !== undefined) core.rates.take('change', session.userId)
  }

  function setCaller(request: FastifyRequest, session: Session | undefined): void {
    request.caller = undefined
    if (session === undefined) return
    const { id: sessionId, userId, tokenHash, sharedComputer } = session
    request.caller = { userId, sessionId, tokenHash, address: request.ip, sharedComputer }
  }

  /** Reads the role from the database each time, so that a change of role takes effect with the next call. */
  async function requireAdministrator({ userId }: Session): Promise<void> {
    const user = await core.db.read.get<Pick<UserRow, 'role'>>('select role from users where id = ?', [userId])
    if (user === undefined) throw new AppError('NOT_SIGNED_IN')
    if (user.role === 'user') throw new AppError('FORBIDDEN')
  }

  async function requireSecondFactor(session: Session): Promise<void> {
    if (!(await core.factorCheck.isMissing(session))) return
    // Closes the user's sockets, which were opened before the requirement took effect.
    core.bus.publish('factorMissing', { userId: session.userId })
    throw new AppError('SECOND_FACTOR_MISSING')
  }

  const isFactorSettled = (session: Session) => beforeFactor || core.factorCheck.isSettled(session)

  async function checkMember(session: Session): Promise<void> {
    if (!isFactorSettled(session)) await requireSecondFactor(session)
    if (kind === 'administrator') await requireAdministrator(session)
  }

  function countFounderCall(request: FastifyRequest, isFounder: boolean): void {
    if (isFounder) core.rates.take(limit, byAccount ? founderKey : networkOf(request.ip), weightOfCall(request))
    else core.rates.take('other', networkOf(request.ip))
  }

  /** The founder's cookie authorizes these calls and no others; a member's cookie authorizes none of them. */
  async function authorizeFounder(request: FastifyRequest, isFirst: boolean): Promise<void> {
    const session = await core.founderSessions.find(request.headers.cookie, byItself)
    if (session !== undefined) {
      const { id: sessionId, found_by: tokenHash } = session
      request.founder = { sessionId, tokenHash, address: request.ip }
    }
    if (isFirst) countFounderCall(request, session !== undefined)
    if (session === undefined) throw new AppError('NOT_FOUNDER')
    if (!beforePassword && (await core.isFounderPasswordGenerated())) throw new AppError('FOUNDER_PASSWORD_GENERATED')
  }

  /** Continues in the same turn if memory can answer. Only the first authorization of a call is counted. */
  function authorize(request: FastifyRequest, isFirst: boolean, done: HookHandlerDoneFunction): void {
    const fail = (error: unknown) => done(error as Error)
    if (kind === 'founder') return void track(authorizeFounder(request, isFirst)).then(() => done(), fail)
    const continueWith = (session: Session | undefined) => {
      try {
        setCaller(request, session)
        if (isFirst) countCall(request, session)
      } catch (error) {
        return fail(error)
      }
      if (needsSession && session === undefined) fail(new AppError('NOT_SIGNED_IN'))
      else if (session === undefined || !needsSession || (kind === 'member' && isFactorSettled(session))) done()
      else track(checkMember(session)).then(() => done(), fail)
    }
    const found = core.sessions.find(request.headers.cookie, byItself)
    if (found instanceof Promise) void track(found).then(continueWith, fail)
    else continueWith(found)
  }

  return {
    onRequest(request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void {
      if (writes && !isOwnOrigin(request.headers, core.config)) done(new AppError('ORIGIN_REFUSED'))
      else authorize(request, true, done)
    },
    preHandler(request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void {
      const isAuthorized = request.caller !== undefined || request.founder !== undefined
      if (isAuthorized && hasBody(request)) authorize(request, false, done)
      else done()
    },
  }
}
