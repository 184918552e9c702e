import type { PreferenceState } from '@privity/contract/preferences'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import { notifyContacts, notifyOfContacts } from '../connections/contacts.ts'
import { notifyProgressOnVisibilityChange } from '../messages/progress.ts'
import { followIdleLimit } from '../session/idleLimit.ts'

/** Applies changed preferences to pages that are open already: nobody continues to see what is withheld now. */
export async function applyPrivacy(
  tx: Tx,
  core: Core,
  userId: string,
  before: PreferenceState,
  after: PreferenceState,
): Promise<void> {
  const changed = (key: 'readReceipts' | 'onlineStatus' | 'profileVisibility' | 'sessionTimeout') =>
    before.preferences[key] !== after.preferences[key]
  if (changed('sessionTimeout') || before.policy.sessionTimeout !== after.policy.sessionTimeout)
    await followIdleLimit(tx, core, userId)
  if (changed('readReceipts')) await notifyProgressOnVisibilityChange(tx, core, userId, before.preferences)
  const [presence, profile] = [changed('onlineStatus'), changed('profileVisibility')]
  if (!presence && !profile) return
  tx.afterCommit(() => {
    core.background.run('visibility', () => notifyContacts(core, userId, { before: before.preferences }))
    if (presence) core.background.run('visibility', () => notifyOfContacts(core, userId))
  })
}
