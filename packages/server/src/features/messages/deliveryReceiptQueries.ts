import type { Value, Reader } from '../../core/database/types.ts'
import { splitIntoStatements, multiRowInsert } from '../../core/database/statements.ts'

/** States that a browser has received everything of this connection up to `seq`. */
export interface DeliveryReceipt {
  userId: string
  connectionId: string
  seq: number
}

/** A receipt that advances `delivered_seq_1` or `delivered_seq_2`, by its `side`. */
export interface NewDeliveryReceipt extends DeliveryReceipt {
  side: 1 | 2
}

const newReceiptsStatement = multiRowInsert(
  (rows) => `with received (row_index, user_id, connection_id, seq) as (values ${rows})
    select received.row_index, case when c.user_id_1 = received.user_id then 1 else 2 end as side
    from received join connections c on c.id = received.connection_id
    where (c.user_id_1 = received.user_id and c.delivered_seq_1 < received.seq and c.delivered_seq_1 < c.last_seq)
      or (c.user_id_2 = received.user_id and c.delivered_seq_2 < received.seq and c.delivered_seq_2 < c.last_seq)
    order by received.row_index`,
  '(?, ?, ?, ?)',
  '(cast(? as bigint), ?, ?, cast(? as bigint))',
)

/** Keeps the order; leaves out receipts that advance nothing and those for connections of others. */
export async function selectNewReceipts(
  db: Reader,
  receipts: readonly DeliveryReceipt[],
): Promise<NewDeliveryReceipt[]> {
  const newReceipts: NewDeliveryReceipt[] = []
  for (const batch of splitIntoStatements(receipts)) {
    const params: Value[] = batch.flatMap(({ userId, connectionId, seq }, index) => [index, userId, connectionId, seq])
    const rows = await db.all<{ row_index: number; side: 1 | 2 }>(newReceiptsStatement(batch.length), params)
    for (const { row_index: index, side } of rows) newReceipts.push({ ...(batch[index] as DeliveryReceipt), side })
  }
  return newReceipts
}
