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
