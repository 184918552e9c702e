import { AppError } from '@privity/contract/errors'
import { defaultPreferences } from '@privity/contract/preferenceDefaults'
import type { Preferences, PreferenceState } from '@privity/contract/preferences'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import { notifyContacts, notifyOfContacts } from '../connections/contacts.ts'
import { notifyProgressOnVisibilityChange } from '../messages/progress.ts'
import { type ChangeCall, notifyAccountChange } from '../session/accountChangeNotice.ts'
import { applyIdleLimit } from '../session/idleLimit.ts'
import { preferencesOf, preferenceStateOf } from './preferences.ts'
import { putChosen } from './queries.ts'

type Key = keyof Preferences

const keys = Object.keys(defaultPreferences) as Key[]

/** Applies changed preferences to pages that are open already: nobody continues to see what is hidden now. */
async function applyPreferences(
  tx: Tx,
  core: Core,
  userId: string,
  before: PreferenceState,
  after: PreferenceState,
): Promise<void> {
  const changed = (key: 'readReceipts' | 'onlineStatus' | 'profileVisibility' | 'sessionTimeout') =>
    before.preferences[key] !== after.preferences[key]
  if (changed('sessionTimeout') || before.policy.sessionTimeout !== after.policy.sessionTimeout)
    await applyIdleLimit(tx, core, userId)
  if (changed('readReceipts')) await notifyProgressOnVisibilityChange(tx, core, userId, before.preferences)
  const [presence, profile] = [changed('onlineStatus'), changed('profileVisibility')]
  if (!presence && !profile) return
  tx.afterCommit(() => {
    core.background.run('visibility', () => notifyContacts(core, userId, { before: before.preferences }))
    if (presence) core.background.run('visibility', () => notifyOfContacts(core, userId))
  })
}

/**
 * Stores the given preferences, applies them, and notifies the user's own tabs; a call that changes nothing writes no
 * entry.
 */
export async function changePreferences(
  tx: Tx,
  call: ChangeCall,
  part: Partial<Preferences>,
): Promise<PreferenceState> {
  const { core, caller } = call
  const { userId, address } = caller
  const before = await preferenceStateOf(tx, userId, core.clock.now())
  const changed = keys.filter((key) => part[key] !== undefined && part[key] !== before.preferences[key])
  if (changed.length === 0) return before
  const chosen = Object.fromEntries(changed.map((key) => [key, part[key]]))
  const after: PreferenceState = { ...before, preferences: { ...before.preferences, ...chosen } }
  const stored = keys.filter((key) => after.preferences[key] !== defaultPreferences[key])
  await putChosen(tx, userId, JSON.stringify(Object.fromEntries(stored.map((key) => [key, after.preferences[key]]))))
  const details = Object.fromEntries(changed.map((key) => [key, after.preferences[key]]))
  await audit(tx, { action: 'preferences_changed', actorId: userId, address, details, at: core.clock.now() })
  await applyPreferences(tx, core, userId, before, after)
  // A stolen session must not silence the notices of later sign-ins.
  if (chosen.loginNotifications === false) await notifyAccountChange(tx, call, 'login_notifications_off')
  tx.afterCommit(() => core.sockets.notify(userId, { type: 'preferences_changed', ...after }))
  return after
}

export const updatePreferences = (call: ChangeCall, part: Partial<Preferences>): Promise<PreferenceState> =>
  call.core.db.write(async (tx) => {
    const { dataDownloads } = await preferencesOf(tx, call.caller.userId)
    if (part.dataDownloads === true && !dataDownloads) throw new AppError('PASSWORD_NEEDED')
    return changePreferences(tx, call, part)
  })
