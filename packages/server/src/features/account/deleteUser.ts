import { AppError } from '@privity/contract/errors'
import { audit } from '../../core/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/db.ts'
import type { UserRow } from '../../core/schema.ts'
import { destroyEnded, endAllConnections } from '../connections/connections.ts'
import { getUser } from '../session/users.ts'
import {
  deleteLocks,
  deleteUserRow,
  forgetInviter,
  hasOtherMember,
  hasOtherSuperAdmin,
  selectObjectsOf,
} from './queries.ts'

export interface Deletion {
  userId: string
  /** Who does it; null for the founder or the server itself. */
  actorId: string | null
  address: string | undefined
  /** Of the audit entry. */
  action: 'account_deleted' | 'user_deleted'
}

/** An organization with members keeps somebody who can give and take roles. */
async function keepSuperAdmin(tx: Tx, { id, role, organization_id: organizationId }: UserRow): Promise<void> {
  if (role !== 'super_admin' || (await hasOtherSuperAdmin(tx, organizationId, id))) return
  if (await hasOtherMember(tx, organizationId, id)) throw new AppError('LAST_SUPER_ADMIN')
}

interface Left {
  connectionIds: string[]
  objectIds: string[]
}

/** Runs the removal in a transaction, once it is sure that it may be done: SQL of the same transaction can refuse it. */
type Transaction = (remove: (tx: Tx) => Promise<Left>) => Promise<Left>

function createRemoval(core: Core, deletion: Deletion): (tx: Tx) => Promise<Left> {
  const { userId, actorId, address, action } = deletion
  return async (tx) => {
    await keepSuperAdmin(tx, await getUser(tx, userId))
    const objectIds = (await selectObjectsOf(tx, userId)).map(({ id }) => id)
    const connectionIds = await endAllConnections(core, tx, deletion)
    await core.sessions.end(tx, userId, 'all')
    await deleteLocks(tx, userId)
    await forgetInviter(tx, userId)
    const at = core.clock.now()
    await audit(tx, { action, actorId, targetId: userId, address, at })
    await deleteUserRow(tx, userId, at)
    tx.afterCommit(() => {
      for (const fileId of objectIds) core.bus.publish('accessEnded', { fileId })
      core.db.emptyLogSoon()
    })
    return { connectionIds, objectIds }
  }
}

/**
 * Deletes an account and all that was in it: what everyone calls who may delete one. When the one
 * transaction is durable nobody can sign in, no session or socket of the account lives, its contacts
 * are told, and nothing that it held can be reached. Then the bytes are destroyed, before the answer;
 * what an interruption leaves of them is destroyed at the next start (objects that no row names) and
 * by the retention job (what removed connections held). `transaction` is for who asks something in it first. Throws
 * LAST_SUPER_ADMIN.
 */
export async function deleteUser(
  core: Core,
  deletion: Deletion,
  transaction: Transaction = core.db.write,
): Promise<void> {
  const { connectionIds, objectIds } = await transaction(createRemoval(core, deletion))
  for (const id of objectIds) {
    await core.storage
      .remove(id)
      .catch((error: unknown) => core.log.error({ err: error }, 'the search for orphans removes an object'))
  }
  for (const id of connectionIds) await destroyEnded(core, id)
}
