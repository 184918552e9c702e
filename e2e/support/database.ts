import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { RunningServer } from './server.ts'

/** What the running server has stored, read from its database. */
export function stored<Row>({ dataDir }: RunningServer, sql: string): Row[] {
  const database = new DatabaseSync(join(dataDir, 'privity.db'), { readOnly: true })
  try {
    return database.prepare(sql).all() as Row[]
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
}

/** The events that browsers have reported, oldest first. */
export const storedEvents = (server: RunningServer) =>
  stored<StoredEvent>(
    server,
    `select e.event_type as type, e.severity, u.username, e.page_url as path, e.session_id as session, e.metadata
     from security_events e join users u on u.id = e.user_id where e.client_id is not null order by e.rowid`,
  )

function confirmedAt({ dataDir }: RunningServer, time: number | null): void {
  const database = new DatabaseSync(join(dataDir, 'privity.db'), { timeout: 5_000 })
  try {
    database.prepare('update sessions set confirmed_at = ?').run(time)
  } finally {
    database.close()
  }
}

/** As ten minutes after the last sign-in: what changes the power of others asks for the password. */
export const lapseConfirmations = (server: RunningServer) => confirmedAt(server, null)

/** As just after a sign-in. */
export const renewConfirmations = (server: RunningServer) => confirmedAt(server, Date.now())
