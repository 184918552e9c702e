import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedInUser, User } from '@privity/contract/session'
import type { Core } from '../../core/core.ts'
import { writeCookie, hashToken } from '../../core/sessions/tokens.ts'
import type { Tx } from '../../core/database/types.ts'
import { newId } from '../../core/ids.ts'
import { effectivePolicyOf, lifeLimitOf } from '../organization/policy/effectivePolicy.ts'
import { describeBrowser } from './browserName.ts'
import { knownDevice, newDevice, readDevice, recordDevice, sendDevice } from './device.ts'
import { idleLimitOf } from './idleLimit.ts'
import { notifySignIn } from './signInNotice.ts'
import { getUser } from './users.ts'

/**
 * Browsers keep a cookie for at most this long. The lifetime of a session can change after its cookie was sent, so the
 * server alone decides: a cookie that outlives its session authorizes nothing.
 */
const cookieLifetimeSeconds = 400 * 24 * 60 * 60

export interface NewSession {
  id: string
  token: string
  device: string
  keyShare: string
}

interface SessionOptions {
  isFirst?: boolean
  isRenewed?: boolean
  /** The share that the browser has chosen; undefined: a random one. */
  keyShare?: string | undefined
}

/**
 * Starts a new session (never a continued one) in the caller's transaction, and ends the session this browser had
 * before. Notifies the account, unless the session is its first or `isRenewed`. A renewed one replaces a session whose
 * cookie someone else may have, so the browser gets a new device id as well.
 */
export async function startSession(
  tx: Tx,
  core: Core,
  request: FastifyRequest,
  userId: string,
  { isFirst = false, isRenewed = false, keyShare = randomBytes(32).toString('base64url') }: SessionOptions = {},
): Promise<NewSession> {
  const now = core.clock.now()
  const token = randomBytes(32).toString('base64url')
  const sessionId = newId(now)
  const address = request.ip
  const browser = describeBrowser(request.headers['user-agent'])
  const device = (isRenewed ? undefined : readDevice(core, request)) ?? newDevice()
  if (request.caller !== undefined) await core.sessions.end(tx, request.caller.userId, { id: request.caller.sessionId })
  const { organization_id: organizationId } = await getUser(tx, userId)
  const lifeLimit = lifeLimitOf(await effectivePolicyOf(tx, organizationId))
  await tx.run(
    `insert into sessions
       (id, user_id, token_hash, key_share, created_at, last_used_at, address, device, idle_limit, confirmed_at,
        life_limit)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      sessionId,
      userId,
      hashToken(token),
      core.secrets.encryptAtRest(keyShare),
      now,
      now,
      address,
      browser,
      await idleLimitOf(tx, userId),
      now,
      lifeLimit,
    ],
  )
  if (!isFirst && !isRenewed) {
    const isNew = (await knownDevice(tx, userId, device)) === ''
    await notifySignIn(tx, core, userId, { sessionId, browser, address, isNew })
  }
  await recordDevice(tx, userId, device, now)
  tx.afterCommit(() => core.sockets.notify(userId, { type: 'sessions_changed' }))
  return { id: sessionId, token, device, keyShare }
}

export function sendToken(core: Core, reply: FastifyReply, token: string): void {
  reply.header('set-cookie', writeCookie(core.sessions.cookieName, token, core.config.secure, cookieLifetimeSeconds))
}

export function sendSession(core: Core, reply: FastifyReply, { token, device }: NewSession): void {
  sendToken(core, reply, token)
  sendDevice(core, reply, device)
}

/** Sends the cookies of a sign-in, and returns the user with the session that begins. */
export function sendSignedIn(
  core: Core,
  reply: FastifyReply,
  { user, session }: { user: User; session: NewSession },
): SignedInUser {
  sendSession(core, reply, session)
  const { id, keyShare } = session
  return { ...user, session: { id, keyShare } }
}

export function clearSession(core: Core, reply: FastifyReply): void {
  reply.header('set-cookie', writeCookie(core.sessions.cookieName, '', core.config.secure, 0))
}
