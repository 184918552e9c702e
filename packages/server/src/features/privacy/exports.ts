import type { FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { PreferenceState } from '@privity/contract/preferences'
import type { AccountExport } from '@privity/contract/privacy'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import { canMailMember, emailTexts, mailMember } from '../../core/mail/memberMail.ts'
import type { Caller } from '../../core/http/guards.ts'
import { getOverview } from '../account/profile.ts'
import { listBrowsers } from '../keys/browsers.ts'
import { preferencesOf } from '../preferences/preferences.ts'
import { changePreferences } from '../preferences/update.ts'
import { checkStillProven, provePassword } from '../session/passwordCheck.ts'
import { listSessions } from '../session/sessions.ts'
import { getUser, toUser } from '../session/users.ts'
import { selectActivity } from './queries.ts'

const maxActivity = 1_000

/** Switches data downloads on after checking the password: a browser left open must not hand out everything at once. */
export async function allowExports(
  core: Core,
  request: FastifyRequest,
  caller: Caller,
  password: string,
): Promise<PreferenceState> {
  const proven = await provePassword(core, request, caller, password)
  return core.db.write(async (tx) => {
    await checkStillProven(tx, caller, proven)
    return changePreferences(tx, { core, request, caller }, { dataDownloads: true })
  })
}

/**
 * The account's own data on the server, if its owner has switched data downloads on. Each export is in the audit log,
 * and reported by mail if there is a mail server.
 */
export async function createExport(core: Core, caller: Caller): Promise<AccountExport> {
  const { userId, address } = caller
  const sessions = await listSessions(core, caller)
  const { organization } = await getOverview(core, userId)
  const browsers = await listBrowsers(core, caller)
  return core.db.write(async (tx) => {
    const preferences = await preferencesOf(tx, userId)
    if (!preferences.dataDownloads) throw new AppError('EXPORTS_OFF')
    const at = core.clock.now()
    const user = await getUser(tx, userId)
    await audit(tx, { action: 'data_exported', actorId: userId, address, at })
    const activity = await selectActivity(tx, userId, maxActivity)
    const text = emailTexts[preferences.language].dataExported({ address, at })
    const mail = { to: user.email, ...text, account: userId }
    const mailed = canMailMember(core, mail)
    tx.afterCommit(() => mailMember(core, mail))
    return {
      madeAt: at,
      mailed,
      profile: toUser(user),
      organization,
      preferences,
      sessions,
      browsers: browsers.map(({ entry: _keys, approval: _approval, ...browser }) => browser),
      activity: activity.map(({ created_at, action, address: from, details }) => ({
        at: created_at,
        action,
        address: from ?? undefined,
        details: JSON.parse(details) as AccountExport['activity'][number]['details'],
      })),
    }
  })
}
