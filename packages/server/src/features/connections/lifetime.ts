import { limits } from '@privity/contract/limits'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { ConnectionRow } from '../../core/database/tables/connections.ts'
import type { Caller } from '../../core/http/guards.ts'
import { requireMembership } from './membership.ts'
import { updateLifetime } from './queries.ts'

/** How long messages live that are sent now, in milliseconds: never longer than the server's `retention`. */
export const lifetimeOf = ({ lifetime }: Pick<ConnectionRow, 'lifetime'>, retention: number): number =>
  Math.min(lifetime ?? limits.retention, retention)

/** Sets the lifetime of messages that either participant sends from now on, and returns the one that applies. */
export async function setLifetime(
  core: Core,
  { userId, address }: Caller,
  connectionId: string,
  lifetime: number,
): Promise<{ lifetime: number }> {
  const applied = lifetimeOf({ lifetime }, core.config.retention)
  await core.db.write(async (tx) => {
    const { connection, contactId } = await requireMembership(tx, connectionId, userId)
    if ((connection.lifetime ?? limits.retention) === lifetime) return
    await updateLifetime(tx, connectionId, lifetime)
    const details = { connectionId, lifetime }
    const at = core.clock.now()
    await audit(tx, { action: 'message_lifetime_changed', actorId: userId, targetId: contactId, address, details, at })
    const frame = { type: 'lifetime_changed', connectionId, lifetime: applied, userId } as const
    tx.afterCommit(() => core.sockets.notify([userId, contactId], frame))
  })
  return { lifetime: applied }
}
