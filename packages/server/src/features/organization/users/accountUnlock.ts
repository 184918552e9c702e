import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import type { Tx } from '../../../core/database/types.ts'
import type { UserRow } from '../../../core/database/tables/users.ts'
import { resetLocks } from '../../session/locks.ts'
import type { By } from './accountChange.ts'
import { tellOfChange } from '../roles/notifyAdministrators.ts'

/**
 * Lets the user sign in again at once, from anywhere: resets the counter of strangers and that of each of the user's
 * browsers. If there is no counter (a lock ends by itself) it changes nothing and writes no entry.
 */
export async function unlockUser(tx: Tx, core: Core, { actorId, address }: By, user: UserRow): Promise<void> {
  const { counters, lockedUntil } = await resetLocks(tx, user.id)
  if (counters === 0) return
  const details = { counters, before: lockedUntil, after: null }
  await audit(tx, { action: 'account_unlocked', actorId, targetId: user.id, address, details, at: core.clock.now() })
  tellOfChange(tx, core, user.organization_id)
}
