import { padToPowerOfTwo, placeholders } from '../../core/database/statements.ts'
import type { Tx } from '../../core/database/types.ts'
import type { ConnectionEndingRow } from '../../core/database/tables/connections.ts'

/** The actor of the deletion, for the audit log. */
export interface EndingActor {
  /** A user's id, or 'founder'; null for the server itself. */
  actorId: string | null
  address: string | undefined
}

interface Id {
  id: string
}

export const selectConnectionIds = (tx: Tx, userId: string) =>
  tx.all<Id>('select id from connections where user_id_1 = ? or user_id_2 = ?', [userId, userId])

/**
 * Records these connections of a user before their account is deleted, so that the contacts can be notified later. If
 * an administrator deletes the account of one of their own contacts, the target of the entry is the deleted user. Only
 * the log of the same organization states that the account was deleted; another organization's log shows an ordinary
 * removal.
 */
export function insertEndings(tx: Tx, userId: string, ids: readonly string[], { actorId, address }: EndingActor) {
  const padded = padToPowerOfTwo(ids)
  return tx.run(
    `insert into connection_endings (connection_id, user_id, contact_id, actor_id, actor_organization, target_id,
       target_organization, address, is_account_told, had_notifications)
     select c.id, me.id, contact.id, cast(? as text), actor.organization_id,
       case when contact.id = actor.id then me.id else contact.id end,
       case when contact.id = actor.id then me.organization_id else contact.organization_id end,
       cast(? as text),
       case when contact.organization_id = me.organization_id then 1 else 0 end,
       case when exists
         (select 1 from notifications n where n.connection_id = c.id and n.user_id = contact.id) then 1 else 0 end
     from connections c
     join users me on me.id = ?
     join users contact on contact.id = case when c.user_id_1 = me.id then c.user_id_2 else c.user_id_1 end
     left join users actor on actor.id = ?
     where c.id in (${placeholders(padded)})`,
    [actorId, address ?? null, userId, actorId, ...padded],
  )
}

/**
 * Deletes connections with both participants' notifications about them; the retention job destroys what they held.
 */
export async function deleteConnections(tx: Tx, ids: readonly string[], now: number): Promise<void> {
  const padded = padToPowerOfTwo(ids)
  const isOne = `in (${placeholders(padded)})`
  await tx.run(`delete from notifications where connection_id ${isOne}`, padded)
  await tx.run(
    `insert into removed_connections (id, removed_at) select id, cast(? as bigint) from connections where id ${isOne}`,
    [now, ...padded],
  )
  await tx.run(`delete from connections where id ${isOne}`, padded)
}

export const deleteEndings = (tx: Tx, userId: string | 'everybody', limit: number) =>
  userId === 'everybody'
    ? tx.all<ConnectionEndingRow>(
        `delete from connection_endings where connection_id in
           (select connection_id from connection_endings order by connection_id limit ?) returning *`,
        [limit],
      )
    : tx.all<ConnectionEndingRow>(
        `delete from connection_endings where connection_id in
           (select connection_id from connection_endings where user_id = ? order by connection_id limit ?) returning *`,
        [userId, limit],
      )
