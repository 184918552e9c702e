import type { Core } from '../../../core/core.ts'
import type { Tx } from '../../../core/database/types.ts'

const isAdministrator = "role in ('org_admin', 'super_admin')"

async function sendToAdministrators({ db, sockets }: Core, organizationId: string): Promise<void> {
  const rows = await db.read.all<{ id: string }>(
    `select id from users where organization_id = ? and ${isAdministrator}`,
    [organizationId],
  )
  sockets.notify(
    rows.map(({ id }) => id),
    { type: 'organization_changed' },
  )
}

/**
 * Once this transaction is durable, notifies the organization's signed-in administrators; their browsers then reload
 * it.
 */
export function notifyAdministrators(tx: Tx, core: Core, organizationId: string): void {
  tx.afterCommit(() => core.background.run('administrators', () => sendToAdministrators(core, organizationId)))
}

/** Like notifyAdministrators, for the organization of this user. */
export async function notifyAdministratorsOfUser(tx: Tx, core: Core, userId: string): Promise<void> {
  const user = await tx.get<{ id: string }>('select organization_id as id from users where id = ?', [userId])
  if (user !== undefined) notifyAdministrators(tx, core, user.id)
}
