import type { FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { Core } from '../../core/core.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import { knownDevice, readDevice } from './device.ts'
import { checkPassword, acceptPassword, type LockKey, recordFailure } from './locks.ts'
import { getUser } from './users.ts'

/**
 * Asks a signed-in member for the password again. Failures count with the failed sign-ins of the same browser, so that
 * a stolen session gives no additional guesses: WRONG_PASSWORD, ACCOUNT_LOCKED. Returns the user; `checkStillProven`
 * checks in the transaction that follows that the password is still the same.
 */
export async function provePassword(
  core: Core,
  request: FastifyRequest,
  caller: Caller,
  password: string,
): Promise<UserRow> {
  const { userId, address } = caller
  const user = await getUser(core.db.read, userId)
  const key: LockKey = { account: userId, device: await knownDevice(core.db.read, userId, readDevice(core, request)) }
  const { isRight, locks } = await checkPassword(core, key, password, user.password_hash)
  if (!isRight) {
    await recordFailure(core, 'failed_password_check', { locks, userId, address })
    throw new AppError('WRONG_PASSWORD')
  }
  const current = await core.db.write(async (tx) => {
    await acceptPassword(tx, key)
    return getUser(tx, userId)
  })
  // A sign-in has renewed the hash while this one was being checked, or the password was changed: it was no guess.
  const isCurrent =
    current.password_hash === user.password_hash || (await core.passwords.verify(password, current.password_hash))
  if (!isCurrent) throw new AppError('WRONG_PASSWORD')
  return current
}

/** Throws if the proven password or the session is gone since; otherwise returns the current user. */
export async function checkStillProven(tx: Tx, caller: Caller, proven: UserRow): Promise<UserRow> {
  const current = await getUser(tx, caller.userId)
  if (current.password_hash !== proven.password_hash) throw new AppError('WRONG_PASSWORD')
  await checkSession(tx, caller)
  return current
}

/** Throws if the session has ended since the call began. */
export async function checkSession(db: Reader, { sessionId }: Caller): Promise<void> {
  if ((await db.get('select 1 from sessions where id = ?', [sessionId])) === undefined)
    throw new AppError('NOT_SIGNED_IN')
}
