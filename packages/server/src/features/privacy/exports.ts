import { AppError } from '@privity/contract/errors'
import type { AccountExport } from '@privity/contract/privacy'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import { mailMember, takesLetter } from '../../core/mail/memberMail.ts'
import type { Caller } from '../../core/http/guards.ts'
import { getOverview } from '../account/profile.ts'
import { preferencesOf } from '../preferences/preferences.ts'
import { listSessions } from '../session/sessions.ts'
import { getUser, toUser } from '../session/users.ts'
import { selectActivity } from './queries.ts'

const mostActivity = 1_000

const letterOf = (
  address: string,
  at: number,
) => `An export of your data was created in a browser signed in to your account.

Address: ${address}
Time:    ${new Date(at).toUTCString()}

The browser saved it as one ZIP file; it is not attached here, and the server has no copy of it. If this was not
you, sign in, end the other sessions under Account Settings and change your password.
`

/**
 * The account's own data on the server, if its owner has switched data downloads on. Each export is in the audit log,
 * and reported by mail if there is a mail server.
 */
export async function createExport(core: Core, caller: Caller): Promise<AccountExport> {
  const { userId, address } = caller
  const sessions = await listSessions(core, caller)
  const { organization } = await getOverview(core, userId)
  return core.db.write(async (tx) => {
    const preferences = await preferencesOf(tx, userId)
    if (!preferences.dataDownloads) throw new AppError('EXPORTS_OFF')
    const at = core.clock.now()
    const user = await getUser(tx, userId)
    await audit(tx, { action: 'data_exported', actorId: userId, address, at })
    const activity = await selectActivity(tx, userId, mostActivity)
    const letter = { to: user.email, subject: 'Your Privity data export', text: letterOf(address, at), account: userId }
    const mailed = takesLetter(core, letter)
    tx.afterCommit(() => mailMember(core, letter))
    return {
      madeAt: at,
      mailed,
      profile: toUser(user),
      organization,
      preferences,
      sessions,
      activity: activity.map(({ created_at, action, address: from, details }) => ({
        at: created_at,
        action,
        address: from ?? undefined,
        details: JSON.parse(details) as AccountExport['activity'][number]['details'],
      })),
    }
  })
}
