import type { ContactIdentity } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import type { Reader, Tx } from '../../core/database/types.ts'
import type { EpochRow, UserRow } from '../../core/database/tables/users.ts'
import { endOfUse } from './epochUse.ts'

/** The ids of this user's contacts. */
export async function selectContactIds(db: Reader, userId: string): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    `select user_id_2 as id from connections where user_id_1 = ?
     union all select user_id_1 from connections where user_id_2 = ?`,
    [userId, userId],
  )
  return rows.map(({ id }) => id)
}

export const selectEpochsBefore = (db: Reader, userId: string, n: number): Promise<EpochRow[]> =>
  db.all('select * from epochs where user_id = ? and n < ? order by n', [userId, n])

export const selectNewestEpoch = (db: Reader, userId: string): Promise<EpochRow | undefined> =>
  db.get('select * from epochs where user_id = ? order by n desc limit 1', [userId])

type KeyRow = EpochRow &
  Pick<
    UserRow,
    | 'identity_key'
    | 'wrapped_identity_seed'
    | 'wrapped_account_key'
    | 'pins'
    | 'pins_version'
    | 'only_approved'
    | 'mode_changes'
    | 'mode_signature'
    | 'publication_due'
    | 'recovery_kem_key'
    | 'recovery_kem_signature'
  >

/** Epochs, oldest first, each with the user's other keys; one statement, so that all are from the same moment. */
export const selectOwnKeys = (db: Reader, userId: string): Promise<KeyRow[]> =>
  db.all(
    `select e.*, u.identity_key, u.wrapped_identity_seed, u.wrapped_account_key, u.pins, u.pins_version,
       u.only_approved, u.mode_changes, u.mode_signature, u.publication_due, u.recovery_kem_key,
       u.recovery_kem_signature
     from users u join epochs e on e.user_id = u.id where u.id = ? and u.identity_key is not null order by e.n`,
    [userId],
  )

/**
 * The epoch whose time it is, or the nearest, with the identity key that signed it; one statement, so that they match.
 * None that another has taken the place of: a former identity may have signed it.
 */
export const selectContactKeys = (
  db: Reader,
  userId: string,
  now: number,
): Promise<(EpochRow & { identity_key: string; former_keys: string }) | undefined> =>
  db.get(
    `select e.*, u.identity_key, u.former_keys from users u join epochs e on e.user_id = u.id
     where u.id = ? and u.identity_key is not null
     order by case when e.used_until < e.ends_at then 1 else 0 end, case
       when e.used_until <= ? then cast(? as bigint) - e.used_until
       when e.starts_at > ? then e.starts_at - cast(? as bigint) else 0 end, e.n desc limit 1`,
    [userId, now, now, now, now],
  )

/** Ends the epochs before `n` at `time`, where they would be used longer. */
export const shortenEarlier = (tx: Tx, userId: string, n: number, time: number) =>
  tx.run('update epochs set used_until = ? where user_id = ? and n < ? and used_until > ?', [time, userId, n, time])

/** Deletes the epochs before `n` that begin after `time`, and to which nothing is sealed. */
export const deleteUnusedAhead = (tx: Tx, userId: string, n: number, time: number) =>
  tx.run(
    `delete from epochs where user_id = ? and n < ? and starts_at > ?
       and n not in (
         select case when v.from_id = ? then v.epoch_from else v.epoch_to end
         from connections c join envelopes v on v.connection_id = c.id where c.user_id_1 = ? or c.user_id_2 = ?)
       and n not in (
         select grant_epoch_to from file_authorizations where requester_id = ? and grant_epoch_to is not null)`,
    [userId, n, time, userId, userId, userId, userId],
  )

/** When the use of each epoch ends whose seed is not due for destruction, earliest first. */
export const selectLivingByEnd = (db: Reader, userId: string, now: number) =>
  db.all<{ endOfUse: number }>(
    `select ${endOfUse} as "endOfUse" from epochs
     where user_id = ? and ${endOfUse} > ? and is_destroyed = 0 order by "endOfUse"`,
    [now, userId, now, now - limits.retention],
  )

/** Deletes the epochs before `n` whose seeds are due for destruction. */
export const deleteDue = (tx: Tx, userId: string, n: number, now: number) =>
  tx.run(`delete from epochs where user_id = ? and n < ? and ${endOfUse} <= ?`, [
    userId,
    n,
    now,
    now - limits.retention,
  ])

export const deleteWithoutSeed = (tx: Tx, userId: string, n: number) =>
  tx.run('delete from epochs where user_id = ? and n < ? and is_destroyed = 1', [userId, n])

/** The identity keys of this user's contacts, without contacts who have none. */
export const selectIdentities = (db: Reader, userId: string): Promise<ContactIdentity[]> =>
  db.all(
    `select c.id as "connectionId", u.id as "userId", u.identity_key as "identityKey"
     from connections c
       join users u on u.id = case when c.user_id_1 = ? then c.user_id_2 else c.user_id_1 end
     where (c.user_id_1 = ? or c.user_id_2 = ?) and u.identity_key is not null
     order by c.id`,
    [userId, userId, userId],
  )
