import type { FastifyRequest } from 'fastify'
import type { Received } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import type { session as contract, User } from '@privity/contract/session'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import { askSecondFactor, type Waiting } from '../secondFactor/ticket.ts'
import { knownDevice, readDevice } from './device.ts'
import { accountKey, checkPassword, forgivePassword, type LockKey, recordFailure } from './locks.ts'
import { type NewSession, startSession } from './startSession.ts'
import { findUserByName, getUser, renewPasswordHash, toUser } from './users.ts'

export interface SignedIn {
  user: User
  session: NewSession
}

export function refuseUnavailable(user: UserRow): void {
  if (user.is_active !== 1 || user.suspended === 1) throw new AppError('ACCOUNT_UNAVAILABLE')
}

type Given = Received<typeof contract.login>['body']

/** The password as derived under the account's version; unknown names are checked against the newest. */
function passwordFor(user: UserRow | undefined, { formerPasswords, ...newest }: Given): string {
  const derived = [newest, ...formerPasswords].find(({ passwordVersion }) => passwordVersion === user?.password_version)
  return (derived ?? newest).password
}

/**
 * Unknown names take the same path as known ones, including the cost of the password check and the lock, so that
 * neither response nor timing reveals which names are taken. An account with a second factor gets a ticket for it and
 * no session.
 */
export async function signIn(core: Core, request: FastifyRequest, given: Given): Promise<SignedIn | Waiting> {
  const username = given.username.normalize('NFKC')
  const user = await findUserByName(core.db.read, username)
  const key: LockKey = {
    account: accountKey(core, user, username),
    device: await knownDevice(core.db.read, user?.id, readDevice(core, request)),
  }
  const password = passwordFor(user, given)
  const { right, locks } = await checkPassword(core, key, password, user?.password_hash)
  if (user === undefined || !right) {
    await recordFailure(core, 'failed_sign_in', { locks, userId: user?.id, account: key.account, address: request.ip })
    throw new AppError('WRONG_CREDENTIALS')
  }
  const renewed = await core.passwords.renew(password, user.password_hash)
  const forgiven = core.db.write((tx) => forgivePassword(tx, key))
  const signedIn = core.db.write(async (tx) => {
    const current = await getUser(tx, user.id)
    // A password changed while this one was being checked is no longer valid.
    if (current.password_hash !== user.password_hash) throw new AppError('WRONG_CREDENTIALS')
    refuseUnavailable(current)
    if (renewed !== undefined) await renewPasswordHash(tx, core, user.id, renewed)
    const proven = { ...current, password_hash: renewed ?? current.password_hash }
    const waiting = await askSecondFactor(tx, core, request, proven)
    if (waiting !== undefined) return waiting
    const session = await startSession(tx, core, request, user.id)
    await audit(tx, { action: 'signed_in', actorId: user.id, address: request.ip, at: core.clock.now() })
    return { user: toUser(current), session }
  })
  // A transaction of its own, so that a right password is not counted against an account that is unavailable.
  await Promise.all([forgiven, signedIn])
  return signedIn
}
