import { AppError } from '@privity/contract/errors'
import { defaultPreferences } from '@privity/contract/preferenceDefaults'
import type { Preferences, PreferenceState } from '@privity/contract/preferences'
import { audit } from '../../core/audit/audit.ts'
import type { Tx } from '../../core/database/types.ts'
import { applyPrivacy } from '../privacy/effects.ts'
import { type Changing, tellChange } from '../session/accountChangeNotice.ts'
import { preferencesOf, preferenceStateOf } from './preferences.ts'
import { putChosen } from './queries.ts'

type Key = keyof Preferences

const keys = Object.keys(defaultPreferences) as Key[]

/**
 * Stores the given preferences, applies them, and notifies the user's own tabs; a call that changes nothing writes no
 * entry.
 */
export async function changePreferences(tx: Tx, asked: Changing, part: Partial<Preferences>): Promise<PreferenceState> {
  const { core, caller } = asked
  const { userId, address } = caller
  const before = await preferenceStateOf(tx, userId, core.clock.now())
  const given = keys.filter((key) => part[key] !== undefined && part[key] !== before.preferences[key])
  if (given.length === 0) return before
  const chosen = Object.fromEntries(given.map((key) => [key, part[key]]))
  const after: PreferenceState = { ...before, preferences: { ...before.preferences, ...chosen } }
  const stored = keys.filter((key) => after.preferences[key] !== defaultPreferences[key])
  await putChosen(tx, userId, JSON.stringify(Object.fromEntries(stored.map((key) => [key, after.preferences[key]]))))
  const details = Object.fromEntries(given.map((key) => [key, after.preferences[key]]))
  await audit(tx, { action: 'preferences_changed', actorId: userId, address, details, at: core.clock.now() })
  await applyPrivacy(tx, core, userId, before, after)
  // A stolen session must not silence the notices of later sign-ins.
  if (chosen.loginNotifications === false) await tellChange(tx, asked, 'login_notifications_off')
  tx.afterCommit(() => core.sockets.notify(userId, { type: 'preferences_changed', ...after }))
  return after
}

export const updatePreferences = (asked: Changing, part: Partial<Preferences>): Promise<PreferenceState> =>
  asked.core.db.write(async (tx) => {
    const { dataDownloads } = await preferencesOf(tx, asked.caller.userId)
    if (part.dataDownloads === true && !dataDownloads) throw new AppError('PASSWORD_NEEDED')
    return changePreferences(tx, asked, part)
  })
