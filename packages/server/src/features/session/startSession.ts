import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedInUser, User } from '@privity/contract/session'
import type { Core } from '../../core/core.ts'
import { writeCookie, hashToken } from '../../core/sessions/tokens.ts'
import type { Tx } from '../../core/database/types.ts'
import { newId } from '../../core/ids.ts'
import { effectivePolicyOf, lifeLimitOf } from '../organization/policy/effectivePolicy.ts'
import { describeBrowser } from './browserName.ts'
import { clearDevice, knownDevice, newDevice, readDevice, recordDevice, sendDevice } from './device.ts'
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
  sharedComputer: boolean
}

interface SessionOptions {
  isFirst?: boolean
  isRenewed?: boolean
  sharedComputer?: boolean
  /** The share that the browser has chosen; undefined: a random one. */
  keyShare?: string | undefined
}

/**
 * Starts a new session (never a continued one) in the caller's transaction, and ends the session this browser had
 * before; after one on a shared computer it is one too. Notifies the account, unless the session is its first or
 * `isRenewed`. A renewed one replaces a session whose cookie someone else may have, so the browser gets a new device id
 * as well.
 */
export async function startSession(
  tx: Tx,
  core: Core,
  request: FastifyRequest,
  userId: string,
  {
    isFirst = false,
    isRenewed = false,
    keyShare = randomBytes(32).toString('base64url'),
    ...options
  }: SessionOptions = {},
): Promise<NewSession> {
  const sharedComputer = options.sharedComputer === true || request.caller?.sharedComputer === true
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
        life_limit, shared_computer)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      sharedComputer ? 1 : 0,
    ],
  )
  if (!isFirst && !isRenewed) {
    const isNew = (await knownDevice(tx, userId, device)) === ''
    await notifySignIn(tx, core, userId, { sessionId, browser, address, isNew })
  }
  await recordDevice(tx, userId, now, sharedComputer ? undefined : device)
  tx.afterCommit(() => core.sockets.notify(userId, { type: 'sessions_changed' }))
  return { id: sessionId, token, device, keyShare, sharedComputer }
}

interface SentToken {
  token: string
  sharedComputer: boolean
}

export function sendToken(core: Core, reply: FastifyReply, { token, sharedComputer }: SentToken): void {
  const lifetime = sharedComputer ? undefined : cookieLifetimeSeconds
  reply.header('set-cookie', writeCookie(core.sessions.cookieName, token, core.config.secure, lifetime))
}

/** On a shared computer the browser keeps no id. */
export function sendSession(core: Core, reply: FastifyReply, session: NewSession): void {
  sendToken(core, reply, session)
  if (session.sharedComputer) clearDevice(core, reply)
  else sendDevice(core, reply, session.device)
}

/** Sends the cookies of a sign-in, and returns the user with the session that begins. */
export function sendSignedIn(
  core: Core,
  reply: FastifyReply,
  { user, session }: { user: User; session: NewSession },
): SignedInUser {
  sendSession(core, reply, session)
  const { id, keyShare, sharedComputer } = session
  return { ...user, session: { id, keyShare, ...(sharedComputer && { sharedComputer }) } }
}

export function clearSession(core: Core, reply: FastifyReply): void {
  reply.header('set-cookie', writeCookie(core.sessions.cookieName, '', core.config.secure, 0))
}
