import { auditCall } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'

/**
 * Marks the recovery key as saved, once its owner has used it or confirmed that they have it. Returns whether it was
 * unsaved.
 */
export async function markRecoveryKeySaved(tx: Tx, core: Core, userId: string): Promise<boolean> {
  const { changes } = await tx.run(
    'update users set recovery_key_unsaved = 0 where id = ? and recovery_key_unsaved = 1',
    [userId],
  )
  if (changes === 0) return false
  tx.afterCommit(() => core.sockets.notify(userId, { type: 'user_changed' }))
  return true
}

/** Idempotent: a second confirmation writes nothing. */
export async function confirmRecoveryKey(core: Core, caller: Caller): Promise<void> {
  await core.db.write(async (tx) => {
    if (!(await markRecoveryKeySaved(tx, core, caller.userId))) return
    await auditCall(tx, caller, { action: 'recovery_key_saved', targetId: caller.userId, at: core.clock.now() })
  })
}
