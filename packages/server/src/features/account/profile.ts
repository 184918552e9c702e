import type { account as contract } from '@privity/contract/account'
import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import type { User } from '@privity/contract/session'
import { auditCall } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import { isTaken } from '../../core/database/errors.ts'
import type { Tx } from '../../core/database/types.ts'
import { type Count, countFailure } from '../../core/rateLimits/outcomes.ts'
import { notifyContacts } from '../connections/contacts.ts'
import { updateSearchIndex } from '../organization/users/searchIndex.ts'
import { checkEmailDomain } from '../organization/policy/emailDomains.ts'
import { notifyAdministrators } from '../organization/roles/notifyAdministrators.ts'
import { type MemberCall, runConfirmed } from '../secondFactor/confirmation.ts'
import { notifyAccountChange } from '../session/accountChangeNotice.ts'
import { getUser, toUser } from '../session/users.ts'
import { selectOrganizationOf, updateProfileOf } from './queries.ts'

type Profile = Received<typeof contract.updateProfile>['body']

export async function getOverview({ db }: Core, userId: string): Promise<Result<typeof contract.overview>> {
  const organization = await selectOrganizationOf(db.read, userId)
  if (organization === undefined) throw new AppError('NOT_SIGNED_IN')
  return { organization }
}

/**
 * Mail about the account goes to its email address, so changing it requires the password, and the second factor if it
 * is on. The transaction reads the stored address again: if it differs from the new one only since then, the call
 * starts over and requires both.
 */
async function save(call: MemberCall, input: Profile): Promise<User> {
  const { core, caller } = call
  const { password, code, recoveryCode, assertion, ...profile } = input
  const isNewEmail = (await getUser(core.db.read, caller.userId)).email !== profile.email
  if (isNewEmail && password === undefined) throw new AppError('PASSWORD_NEEDED')
  const confirmation = { password: password ?? '', code, recoveryCode, assertion }
  const transaction = <T>(change: (tx: Tx) => Promise<T>) =>
    isNewEmail ? runConfirmed(call, confirmation, change) : core.db.write(change)
  const saved = await transaction(async (tx) => {
    const row = await getUser(tx, caller.userId)
    const before = toUser(row)
    const changed = (['firstName', 'lastName', 'email'] as const).filter((name) => before[name] !== profile[name])
    if (changed.length === 0) return before
    if (changed.includes('email')) {
      if (!isNewEmail) return undefined
      await checkEmailDomain(tx, row.organization_id, profile.email)
      await notifyAccountChange(tx, call, 'email_changed', row.email)
    }
    await updateProfileOf(tx, caller.userId, profile)
    await updateSearchIndex(tx, caller.userId)
    notifyAdministrators(tx, core, row.organization_id)
    await auditCall(tx, caller, {
      action: 'profile_changed',
      targetId: caller.userId,
      details: { fields: changed.join(', ') },
      at: core.clock.now(),
    })
    tx.afterCommit(() => {
      core.sockets.notify(caller.userId, { type: 'user_changed' })
      const reason = changed.join() === 'email' ? ({ changed: 'profile' } as const) : undefined
      core.background.run('profile', () => notifyContacts(core, caller.userId, reason))
    })
    return { ...before, ...profile }
  })
  return saved ?? save(call, input)
}

const isEmailTaken = (error: unknown) => isTaken(error, 'users.email')

/**
 * Saves name and email. Only attempts at an address that is taken stay counted: many of them would reveal who has an
 * account.
 */
export async function updateProfile(call: MemberCall, profile: Profile): Promise<User> {
  const counts: Count[] = [['takenEmail', call.caller.userId]]
  try {
    return await countFailure(call.core.rates, counts, isEmailTaken, () => save(call, profile))
  } catch (error) {
    throw isEmailTaken(error) ? new AppError('EMAIL_TAKEN') : error
  }
}
