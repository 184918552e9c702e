import type { ContactIdentity } from '@privity/contract/keys'
import type { Reader } from '../../core/database/types.ts'
import type { EpochRow, UserRow } from '../../core/database/tables/users.ts'

/** The ids of this user's contacts. */
export async function selectContactIds(db: Reader, userId: string): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    `select user_id_2 as id from connections where user_id_1 = ?
     union all select user_id_1 from connections where user_id_2 = ?`,
    [userId, userId],
  )
  return rows.map(({ id }) => id)
}

export const selectEpochs = (db: Reader, userId: string): Promise<EpochRow[]> =>
  db.all('select * from epochs where user_id = ? order by n', [userId])

export const selectNewestEpoch = (db: Reader, userId: string): Promise<EpochRow | undefined> =>
  db.get('select * from epochs where user_id = ? order by n desc limit 1', [userId])

type KeyRow = EpochRow &
  Pick<UserRow, 'identity_key' | 'wrapped_identity_seed' | 'wrapped_account_key' | 'pins' | 'pins_version'>

/** Epochs, oldest first, each with the user's other keys; one statement, so that all are from the same moment. */
export const selectOwnKeys = (db: Reader, userId: string): Promise<KeyRow[]> =>
  db.all(
    `select e.*, u.identity_key, u.wrapped_identity_seed, u.wrapped_account_key, u.pins, u.pins_version
     from users u join epochs e on e.user_id = u.id where u.id = ? and u.identity_key is not null order by e.n`,
    [userId],
  )

/** The newest epoch with the identity key that signed it; one statement, so that they match. */
export const selectContactKeys = (
  db: Reader,
  userId: string,
): Promise<(EpochRow & { identity_key: string }) | undefined> =>
  db.get(
    `select e.*, u.identity_key from users u join epochs e on e.user_id = u.id
     where u.id = ? and u.identity_key is not null order by e.n desc limit 1`,
    [userId],
  )

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
