import type { account as contract } from '@privity/contract/account'
import type { Received } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import { destroyEndedConnection } from '../connections/connections.ts'
import { endAllConnections, finishEndings } from '../connections/endings.ts'
import { revokeInvitationsBy } from '../organization/invitations/invitations.ts'
import { checkNotLastSuperAdmin } from '../organization/roles/lastSuperAdmin.ts'
import { notifyAdministrators } from '../organization/roles/notifyAdministrators.ts'
import { type MemberCall, runConfirmed } from '../secondFactor/confirmation.ts'
import { getUser } from '../session/users.ts'
import { deleteLocks, deleteUserRow, selectObjectsOf, selectUser } from './queries.ts'

export interface Deletion {
  userId: string
  /** A user's id, or 'founder'; null for the server itself. */
  actorId: string | null
  address: string | undefined
  /** The action of the audit entry. */
  action: 'account_deleted' | 'user_deleted'
}

/** Connections and objects to destroy after the transaction. */
interface Leftovers {
  connectionIds: string[]
  objectIds: string[]
}

/** Runs `remove` in a transaction, in which it may check a condition first, and throw. */
type Transaction = (remove: (tx: Tx) => Promise<Leftovers>) => Promise<Leftovers>

function createRemoval(core: Core, deletion: Deletion): (tx: Tx) => Promise<Leftovers> {
  const { userId, actorId, address, action } = deletion
  return async (tx) => {
    const user = await selectUser(tx, userId)
    if (user === undefined) throw new AppError(userId === actorId ? 'NOT_SIGNED_IN' : 'USER_NOT_FOUND')
    await checkNotLastSuperAdmin(tx, user)
    const objectIds = (await selectObjectsOf(tx, userId)).map(({ id }) => id)
    const connectionIds = await endAllConnections(core, tx, userId, deletion)
    await core.sessions.end(tx, userId, 'all', action === 'user_deleted' ? 'deleted' : undefined)
    await deleteLocks(tx, userId)
    await revokeInvitationsBy(tx, core, user, 'all')
    const at = core.clock.now()
    const details = { role: user.role, isActive: user.is_active === 1, suspended: user.suspended === 1 }
    await audit(tx, { action, actorId, targetId: userId, address, details, at })
    await deleteUserRow(tx, userId, at)
    notifyAdministrators(tx, core, user.organization_id)
    tx.afterCommit(() => {
      for (const fileId of objectIds) core.bus.publish('accessEnded', { fileId })
      core.db.emptyLogSoon()
    })
    return { connectionIds, objectIds }
  }
}

/**
 * Deletes an account and everything in it; every path that deletes an account calls this. Once the transaction is
 * durable, nobody can sign in, no session or socket of the account is left, its connections are gone, and nothing it
 * held can be reached. Before returning, it notifies the contacts in small batches and destroys the bytes. After an
 * interruption jobs do the rest: `finishEndings` notifies the contacts, `removeOrphanedObjects` removes objects that no
 * row names, retention destroys what removed connections held. `transaction` lets the caller check a condition in the
 * same transaction. Throws LAST_SUPER_ADMIN.
 */
export async function deleteUser(
  core: Core,
  deletion: Deletion,
  transaction: Transaction = core.db.write,
): Promise<void> {
  const { connectionIds, objectIds } = await transaction(createRemoval(core, deletion))
  await finishEndings(core, deletion.userId, () => false).catch((error: unknown) =>
    core.log.error({ err: error }, 'a job notifies the other contacts of a deleted account'),
  )
  for (const id of objectIds) {
    await core.storage
      .remove(id)
      .catch((error: unknown) => core.log.error({ err: error }, 'a job removes an orphaned object'))
  }
  for (const id of connectionIds) await destroyEndedConnection(core, id)
}

type Confirmation = Received<typeof contract.remove>['body']

/** Deletes the caller's own account, after they have typed its username and confirmed their identity. */
export async function deleteOwnAccount(call: MemberCall, { username, ...confirmation }: Confirmation): Promise<void> {
  const { core, caller } = call
  const { userId, address } = caller
  const user = await getUser(core.db.read, userId)
  if (username !== user.username)
    throw new AppError('INVALID_INPUT', { details: [{ path: 'username', message: 'That is not your username.' }] })
  await deleteUser(core, { userId, actorId: userId, address, action: 'account_deleted' }, (remove) =>
    runConfirmed(call, confirmation, remove),
  )
}
