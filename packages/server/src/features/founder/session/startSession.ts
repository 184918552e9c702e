import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Core } from '../../../core/core.ts'
import { writeCookie } from '../../../core/sessions/tokens.ts'
import type { Tx } from '../../../core/database/types.ts'
import { describeBrowser } from '../../session/browserName.ts'
import { newDevice, readDevice, sendDevice } from '../../session/device.ts'
import { saveDevice } from './attempts.ts'
import { deleteSession } from './queries.ts'

/** Browsers keep a cookie for at most this long (s); the server alone decides how long a session lasts. */
const cookieLifetime = 400 * 24 * 60 * 60

export interface NewFounderSession {
  id: string
  token: string
  device: string
}

/**
 * Starts a new session (never a continued one) in the caller's transaction, and ends the session this browser had
 * before.
 */
export async function startSession(tx: Tx, core: Core, request: FastifyRequest): Promise<NewFounderSession> {
  const before = await core.founderSessions.find(request.headers.cookie, true)
  if (before !== undefined) await deleteSession(tx, core.db, before.id)
  const device = readDevice(core, request) ?? newDevice()
  const browser = describeBrowser(request.headers['user-agent'])
  const keyShare = core.secrets.encryptAtRest(randomBytes(32).toString('base64url'))
  const { id, token } = await core.founderSessions.start(tx, { address: request.ip, device: browser, keyShare })
  await saveDevice(tx, device, core.clock.now())
  return { id, token, device }
}

/** SameSite=Strict: only the console's own pages ever need the cookie. */
const sendCookie = (core: Core, reply: FastifyReply, token: string, maxAge: number) =>
  reply.header('set-cookie', writeCookie(core.founderSessions.cookieName, token, core.config.secure, maxAge, 'Strict'))

export const sendToken = (core: Core, reply: FastifyReply, token: string): void =>
  void sendCookie(core, reply, token, cookieLifetime)

export function sendSession(core: Core, reply: FastifyReply, { token, device }: NewFounderSession): void {
  sendToken(core, reply, token)
  sendDevice(core, reply, device)
}

export const clearSession = (core: Core, reply: FastifyReply): void => void sendCookie(core, reply, '', 0)
