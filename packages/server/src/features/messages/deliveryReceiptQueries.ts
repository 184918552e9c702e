import type { Value, Reader } from '../../core/database/types.ts'
import { splitIntoStatements, multiRowInsert } from '../../core/database/statements.ts'

/** A browser has received everything of this connection up to `seq`. */
export interface DeliveryReceipt {
  userId: string
  connectionId: string
  seq: number
}

/** A receipt that advances `delivered_seq`. */
export interface NewDeliveryReceipt extends DeliveryReceipt {
  side: 1 | 2
}

const selectNewStatement = multiRowInsert(
  (asked) => `with asked (place, user_id, connection_id, seq) as (values ${asked})
    select asked.place, case when c.user_id_1 = asked.user_id then 1 else 2 end as side
    from asked join connections c on c.id = asked.connection_id
    where (c.user_id_1 = asked.user_id and c.delivered_seq_1 < asked.seq and c.delivered_seq_1 < c.last_seq)
      or (c.user_id_2 = asked.user_id and c.delivered_seq_2 < asked.seq and c.delivered_seq_2 < c.last_seq)
    order by asked.place`,
  '(?, ?, ?, ?)',
  '(cast(? as bigint), ?, ?, cast(? as bigint))',
)

/** Keeps the order; drops receipts without news and those for connections that are not the user's own. */
export async function selectNewlyReceived(db: Reader, all: readonly Received[]): Promise<NewlyReceived[]> {
  const found: NewlyReceived[] = []
  for (const asked of splitIntoStatements(all)) {
    const params: Value[] = []
    asked.forEach(({ userId, connectionId, seq }, i) => void params.push(i, userId, connectionId, seq))
    for (const { place, side } of await db.all<{ place: number; side: 1 | 2 }>(
      selectNewStatement(asked.length),
      params,
    ))
      found.push({ ...(asked[place] as Received), side })
  }
  return newReceipts
}
