import { randomUUID } from 'node:crypto'
import { setInterval as every } from 'node:timers'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'

/** How long (ms) the lease of a killed process blocks other ones; a living holder renews it every third of that. */
const length = 15_000

const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** Errors of creating the same table at once: one of two processes may be told that it, or its row type, exists. */
const exists = ['42P07', '42710', '23505', '40001', '40P01']

const pause = () => wait(50 + Math.random() * 200)

async function createTable(client: pg.ClientBase): Promise<void> {
  for (const until = performance.now() + length; ; await pause()) {
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
      if (!exists.includes(String((error as { code?: unknown }).code)) || performance.now() > until) throw error
    }
  }
}

/**
 * Runs `work` while no other process does. The process that sets the row holds the lease for as long as it renews it.
 * Every engine supports this, and the time is the database's own. `client` must be free for this alone.
 */
export async function underLease(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  const holder = randomUUID()
  await createTable(client)
  const extend = async (from: string): Promise<boolean> => {
    const { rowCount } = await client
      .query(`update migration_lease set holder = $1, expires_at = ${now} + ${length} where ${from}`, [holder])
      .catch((error: unknown) => {
        if (exists.includes(String((error as { code?: unknown }).code))) return { rowCount: 0 }
        throw error
      })
    return rowCount === 1
  }
  while (!(await extend(`expires_at < ${now}`))) await pause()
  // If renewing fails the lease expires; the migration's own transaction then prevents a second run.
  const beating = every(() => void extend(`holder = '${holder}'`).catch(() => {}), length / 3)
  try {
    await work()
  } finally {
    clearInterval(beating)
    await client.query('update migration_lease set expires_at = 0 where holder = $1', [holder]).catch(() => {})
  }
}
