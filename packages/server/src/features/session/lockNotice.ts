import { limits } from '@privity/contract/limits'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import { mailMember } from '../../core/mail/memberMail.ts'
import { addNotification } from '../notifications/notifications.ts'
import { getUser } from './users.ts'

interface Lock {
  /** The failed attempts that led to this lock, not those before it. */
  failures: number
  /** The address of the attempt that locked the account. */
  address: string
}

const letterOf = ({ failures, address }: Lock, at: number) => `Your Privity account was locked for ${
  limits.lockTime / 60_000
} minutes after failed sign-ins.

Failed:  ${failures} attempts
Address: ${address}, of the last one
Time:    ${new Date(at).toUTCString()}

Browsers that have signed in to the account before are counted separately and are not locked by others. If these
attempts were not yours, there is nothing to do as long as nobody else knows your password; two-factor authentication
under Privacy & Security protects the account even then.
`

/** Notifies an account, regardless of preferences, that strangers or its owner have locked it. */
export async function tellLocked(tx: Tx, core: Core, userId: string, lock: Lock): Promise<void> {
  await addNotification(tx, core, userId, { kind: 'account_locked', ...lock })
  const { email } = await getUser(tx, userId)
  const letter = { to: email, subject: 'Your Privity account was locked', text: letterOf(lock, core.clock.now()) }
  tx.afterCommit(() => mailMember(core, { ...letter, account: userId }))
}
