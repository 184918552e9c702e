import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onPostgres, query } from './postgres.ts'
import type { RunningServer } from './server.ts'

/** Resolves with the rows of a statement on the database of the running server; the values replace `?`. */
export async function stored<Row>({ dataDir }: RunningServer, sql: string, ...values: (string | number | null)[]) {
  if (onPostgres) {
    let at = 0
    return query<Row>(
      sql.replaceAll('?', () => `$${++at}`),
      values,
      dataDir,
    )
  }
  const database = new DatabaseSync(join(dataDir, 'privity.db'), { timeout: 5_000 })
  try {
    return database.prepare(sql).all(...values) as Row[]
  } finally {
    database.close()
  }
}

export interface StoredEvent {
  type: string
  severity: string
  username: string
  path: string
  session: string
  metadata: string
  description: string
}

/** Events that browsers have reported, oldest first. */
export const storedEvents = (server: RunningServer) =>
  stored<StoredEvent>(
    server,
    `select e.event_type as type, e.severity, u.username, e.page_url as path, e.session_id as session, e.metadata,
       e.event_description as description
     from security_events e join users u on u.id = e.user_id where e.client_id is not null order by e.id`,
  )

const confirmedAt = (server: RunningServer, time: number | null) =>
  stored(server, 'update sessions set confirmed_at = ?', time)

/** As if ten minutes had passed since the last sign-in: sensitive changes ask for the password again. */
export const lapseConfirmations = (server: RunningServer) => confirmedAt(server, null)

/** As directly after a sign-in. */
export const renewConfirmations = (server: RunningServer) => confirmedAt(server, Date.now())
