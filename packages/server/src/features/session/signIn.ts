import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Received } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import type { session as contract, SignedInUser, User } from '@privity/contract/session'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import { issueTicket, type AwaitingSecondFactor } from '../secondFactor/ticket.ts'
import { knownDevice, readDevice, sendDevice } from './device.ts'
import { accountKey, checkPassword, acceptPassword, type LockKey, recordFailure } from './locks.ts'
import { type NewSession, sendSignedIn, startSession } from './startSession.ts'
import { findUserByName, getUser, renewPasswordHash, toUser } from './users.ts'

export interface SignedIn {
  user: User
  session: NewSession
}

export function requireAvailable(user: UserRow): void {
  if (user.is_active !== 1 || user.suspended === 1) throw new AppError('ACCOUNT_UNAVAILABLE')
}

type Credentials = Received<typeof contract.login>['body']

/** The password as derived under the account's version; unknown names are checked against the newest. */
function passwordFor(user: UserRow | undefined, { formerPasswords, ...newest }: Credentials): string {
  const derived = [newest, ...formerPasswords].find(({ passwordVersion }) => passwordVersion === user?.password_version)
  return (derived ?? newest).password
}

/**
 * Unknown names take the same path as known ones, including the cost of the password check and the lock, so that
 * neither response nor timing reveals which names are taken. An account with a second factor gets a ticket for it and
 * no session.
 */
export async function signIn(
  core: Core,
  request: FastifyRequest,
  credentials: Credentials,
): Promise<SignedIn | AwaitingSecondFactor> {
  const username = credentials.username.normalize('NFKC')
  const user = await findUserByName(core.db.read, username)
  const key: LockKey = {
    account: accountKey(core, user, username),
    device: await knownDevice(core.db.read, user?.id, readDevice(core, request)),
  }
  const password = passwordFor(user, credentials)
  const { isRight, locks } = await checkPassword(core, key, password, user?.password_hash)
  if (user === undefined || !isRight) {
    await recordFailure(core, 'failed_sign_in', { locks, userId: user?.id, account: key.account, address: request.ip })
    throw new AppError('WRONG_CREDENTIALS')
  }
  const renewedHash = await core.passwords.renew(password, user.password_hash)
  const accepted = core.db.write((tx) => acceptPassword(tx, key))
  const signedIn = core.db.write(async (tx) => {
    const current = await getUser(tx, user.id)
    // The password was changed while this one was being checked, or another sign-in has renewed its hash.
    if (current.password_hash !== user.password_hash) return undefined
    requireAvailable(current)
    if (renewedHash !== undefined) await renewPasswordHash(tx, core, user.id, renewedHash)
    const proven = { ...current, password_hash: renewedHash ?? current.password_hash }
    const awaiting = await issueTicket(tx, core, request, proven)
    if (awaiting !== undefined) return awaiting
    const session = await startSession(tx, core, request, user.id, { sharedComputer: credentials.sharedComputer })
    await audit(tx, { action: 'signed_in', actorId: user.id, address: request.ip, at: core.clock.now() })
    return { user: toUser(current), session }
  })
  // A transaction of its own, so that a right password is not counted against an account that is unavailable.
  await Promise.all([accepted, signedIn])
  return (await signedIn) ?? signIn(core, request, credentials)
}

/** Sends the cookies of a sign-in and returns user and session; throws SECOND_FACTOR_REQUIRED with its ticket. */
export function sendSignIn(
  core: Core,
  reply: FastifyReply,
  outcome: SignedIn | AwaitingSecondFactor,
  sharedComputer = false,
): SignedInUser {
  if ('needed' in outcome) {
    sendDevice(core, reply, outcome.device, sharedComputer)
    throw new AppError('SECOND_FACTOR_REQUIRED', { details: outcome.needed })
  }
  return sendSignedIn(core, reply, outcome)
}
