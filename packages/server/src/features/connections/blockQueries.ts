import type { Reader, Tx } from '../../core/database/types.ts'
import type { BlockRow } from '../../core/database/tables/connections.ts'

export const selectBlocks = (db: Reader, blockerId: string) =>
  db.all<BlockRow>('select * from blocks where blocker_id = ? order by blocked_at desc, blocked_id', [blockerId])

export async function hasBlocked(db: Reader, blockerId: string, blockedId: string): Promise<boolean> {
  const row = await db.get('select 1 from blocks where blocker_id = ? and blocked_id = ?', [blockerId, blockedId])
  return row !== undefined
}

export const insertBlock = (tx: Tx, row: BlockRow) =>
  tx.run('insert into blocks (blocker_id, blocked_id, first_name, last_name, blocked_at) values (?, ?, ?, ?, ?)', [
    row.blocker_id,
    row.blocked_id,
    row.first_name,
    row.last_name,
    row.blocked_at,
  ])

export const deleteBlock = (tx: Tx, blockerId: string, blockedId: string) =>
  tx.run('delete from blocks where blocker_id = ? and blocked_id = ?', [blockerId, blockedId])
