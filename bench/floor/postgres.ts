import { Pool } from 'pg'
import type { Row } from './types.ts'

/** The floor's store in PostgreSQL: concurrent writes share a statement, and up to two statements are in flight. */
export async function openPostgres(url: string) {
  const pool = new Pool({ connectionString: url, max: 4 })
  await pool.query(`create table if not exists messages (id bigint generated always as identity primary key,
    connection_id text not null, sender_id text not null, content text not null, created_at bigint not null);
    create index if not exists messages_by_connection on messages (connection_id, id)`)
  return {
    async many(rows: Row[]): Promise<number[]> {
      const columns = (['connectionId', 'senderId', 'content', 'createdAt'] as const).map((key) =>
        rows.map((row) => row[key]),
      )
      const answer = await pool.query<{ id: string }>({
        name: 'add',
        text: `insert into messages (connection_id, sender_id, content, created_at)
          select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) returning id`,
        values: columns,
      })
      return answer.rows.map(({ id }) => Number(id))
    },
    async past(connectionId: string, count: number): Promise<unknown[]> {
      const answer = await pool.query<object>({
        name: 'past',
        text: 'select * from messages where connection_id = $1 order by id desc limit $2',
        values: [connectionId, count],
      })
      return answer.rows.toReversed()
    },
  }
}
