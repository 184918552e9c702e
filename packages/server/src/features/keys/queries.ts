import type { PeerIdentity } from '@privity/contract/keys'
import type { Reader } from '../../core/db.ts'
import type { EpochRow } from '../../core/schema.ts'

/** Everyone connected with this user. */
export async function peerIds(db: Reader, userId: string): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    `select user_id_2 as id from connections where user_id_1 = ?
     union all select user_id_1 from connections where user_id_2 = ?`,
    [userId, userId],
  )
  return rows.map(({ id }) => id)
}

export const listEpochs = (db: Reader, userId: string): Promise<EpochRow[]> =>
  db.all('select * from epochs where user_id = ? order by n', [userId])

export const newestEpoch = (db: Reader, userId: string): Promise<EpochRow | undefined> =>
  db.get('select * from epochs where user_id = ? order by n desc limit 1', [userId])

/** Of everyone connected with this user who has keys. */
export const selectIdentities = (db: Reader, userId: string): Promise<PeerIdentity[]> =>
  db.all(
    `select c.id as "connectionId", u.id as "userId", u.identity_key as "identityKey"
     from connections c
       join users u on u.id = case when c.user_id_1 = ? then c.user_id_2 else c.user_id_1 end
     where (c.user_id_1 = ? or c.user_id_2 = ?) and u.identity_key is not null
     order by c.id`,
    [userId, userId, userId],
  )
