import { randomUUID } from 'node:crypto'
import { setInterval as every } from 'node:timers'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'

/** The lease of a killed process expires after this time; a living holder renews it every third of it. */
const leaseMs = 15_000

const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** Errors of two processes that create the same table concurrently. */
const creationRaceCodes = ['42P07', '42710', '23505', '40001', '40P01']

const pause = () => wait(50 + Math.random() * 200)

async function createTable(client: pg.ClientBase): Promise<void> {
  for (const until = performance.now() + leaseMs; ; await pause()) {
    try {
      await client.query(
        `create table if not exists migration_lease
          (one bigint primary key check (one = 1), holder text not null, expires_at bigint not null)`,
      )
      await client.query(
        "insert into migration_lease (one, holder, expires_at) values (1, '', 0) on conflict do nothing",
      )
      return
    } catch (error) {
      if (!creationRaceCodes.includes(String((error as { code?: unknown }).code)) || performance.now() > until)
        throw error
    }
  }
}

/**
 * Runs `work` in one process at a time. A row with an expiry serves as the lease, because every engine supports it; the
 * time is the database's own. `client` must be used for nothing else.
 */
export async function runWithMigrationLease(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  const holder = randomUUID()
  await createTable(client)
  const extend = async (from: string): Promise<boolean> => {
    const { rowCount } = await client
      .query(`update migration_lease set holder = $1, expires_at = ${now} + ${leaseMs} where ${from}`, [holder])
      .catch((error: unknown) => {
        if (creationRaceCodes.includes(String((error as { code?: unknown }).code))) return { rowCount: 0 }
        throw error
      })
    return rowCount === 1
  }
  while (!(await extend(`expires_at < ${now}`))) await pause()
  // If renewing fails the lease expires; the migration's own transaction then prevents a second run.
  const renewal = every(() => void extend(`holder = '${holder}'`).catch(() => {}), leaseMs / 3)
  try {
    await work()
  } finally {
    clearInterval(renewal)
    await client.query('update migration_lease set expires_at = 0 where holder = $1', [holder]).catch(() => {})
  }
}
