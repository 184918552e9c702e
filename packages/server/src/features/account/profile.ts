import type { account as contract } from '@privity/contract/account'
import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import type { User } from '@privity/contract/session'
import { audit } from '../../core/audit.ts'
import type { Core } from '../../core/core.ts'
import { isTaken } from '../../core/dbErrors.ts'
import type { Caller } from '../../core/guards.ts'
import { tellContacts } from '../connections/contacts.ts'
import { keepFindable } from '../organization/directory.ts'
import { checkEmailDomain } from '../organization/emailDomains.ts'
import { tellOfChange } from '../organization/tell.ts'
import { getUser, toUser } from '../session/users.ts'
import { selectOrganizationOf, updateProfileOf } from './queries.ts'

type Profile = Received<typeof contract.updateProfile>['body']

export async function getOverview({ db }: Core, userId: string): Promise<Result<typeof contract.overview>> {
  const organization = await selectOrganizationOf(db.read, userId)
  if (organization === undefined) throw new AppError('NOT_SIGNED_IN')
  return { organization }
}

function save(core: Core, caller: Caller, profile: Profile): Promise<User> {
  return core.db.write(async (tx) => {
    const row = await getUser(tx, caller.userId)
    const before = toUser(row)
    const changed = (['firstName', 'lastName', 'email'] as const).filter((name) => before[name] !== profile[name])
    if (changed.length === 0) return before
    if (changed.includes('email')) await checkEmailDomain(tx, row.organization_id, profile.email)
    await updateProfileOf(tx, caller.userId, profile)
    await keepFindable(tx, caller.userId)
    tellOfChange(tx, core, row.organization_id)
    await audit(tx, {
      action: 'profile_changed',
      actorId: caller.userId,
      targetId: caller.userId,
      address: caller.address,
      details: { fields: changed.join(', ') },
      at: core.clock.now(),
    })
    tx.afterCommit(() => {
      core.sockets.notify(caller.userId, { type: 'user_changed' })
      const news = changed.join() === 'email' ? ({ about: 'profile' } as const) : undefined
      core.background.run('profile', () => tellContacts(core, caller.userId, news))
    })
    return { ...before, ...profile }
  })
}

/**
 * Saves name and address. Only addresses that turn out to be somebody else's stay counted: whoever tries
 * many is finding out who has an account here.
 */
export async function updateProfile(core: Core, caller: Caller, profile: Profile): Promise<User> {
  const giveBack = core.rates.take('takenEmail', caller.userId)
  try {
    const user = await save(core, caller, profile)
    giveBack()
    return user
  } catch (error) {
    if (isTaken(error, 'users.email')) throw new AppError('EMAIL_TAKEN')
    giveBack()
    throw error
  }
}
