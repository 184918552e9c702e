import type { Clock } from '../clock.ts'
import type { Db, Tx } from '../database/types.ts'
import { registryTimes } from '../database/processHeartbeat.ts'

/** The processes that serve one database: each has a row that it updates as its heartbeat. */
export interface Registry {
  /** The other processes, by the last look into the database. */
  others(): ReadonlySet<string>
  lookedAt(): number
  /** Updates this process's row and reads those of the other processes. */
  beat(): Promise<void>
  /** A process has announced its end. */
  drop(process: string): void
  leave(): Promise<void>
}

/**
 * SQL: true if `process` names this process (a parameter; '' if there can be only one), a process that has ended, or
 * none. No other process works on such a row.
 */
export const isFree = '(process is null or process = ? or not exists (select 1 from processes p where p.id = process))'

interface Seen {
  beat: number
  /** Since when it has not changed, by this process's clock: clocks of two machines are never compared. */
  since: number
}

/** How long (ms) the list read from the database is trusted. */
export const knownFor = 3 * registryTimes.beat

export interface RegistryOptions {
  db: Db
  clock: Clock
  /** This process. */
  id: string
  /** This process was removed as gone: it was paused, or could not write, for longer than `registryTimes.gone`. */
  returned(): void
  /** Throws if this process may not serve. Runs in the transaction that inserts its row, at the start and on return. */
  admit?: ((tx: Tx) => Promise<void>) | undefined
  /** Another process is gone without having announced it: its last notices may be lost. */
  vanished(): void
}

export function createRegistry({ db, clock, id, admit, returned, vanished }: RegistryOptions): Registry {
  let seen = new Map<string, Seen>()
  let lookedAt = Number.NEGATIVE_INFINITY
  let joined = false

  async function beatOwn(): Promise<boolean> {
    return db.write(async (tx) => {
      const { changes } = await tx.run('update processes set beat = beat + 1 where id = ?', [id])
      if (changes > 0) return false
      await tx.run('insert into processes (id, beat) values (?, 1)', [id])
      await admit?.(tx)
      return true
    })
  }

  async function look(): Promise<void> {
    const rows = await db.read.all<{ id: string; beat: number }>('select id, beat from processes where id <> ?', [id])
    const now = clock.now()
    // After a pause of this process or of the database an unchanged row proves nothing.
    const wasAway = now - lookedAt > 2 * registryTimes.beat
    const before = seen
    seen = new Map()
    lookedAt = now
    for (const row of rows) {
      const known = before.get(row.id)
      const stands = known?.beat === row.beat && !wasAway
      const since = stands ? known.since : now
      if (now - since < registryTimes.gone) seen.set(row.id, { beat: row.beat, since })
      else await db.write((tx) => tx.run('delete from processes where id = ? and beat = ?', [row.id, row.beat]))
    }
    if ([...before.keys()].some((other) => !seen.has(other))) vanished()
  }

  return {
    others: () => new Set(seen.keys()),
    lookedAt: () => lookedAt,
    async beat() {
      const isNew = await beatOwn()
      if (isNew && joined) returned()
      joined = true
      await look()
    },
    drop: (process) => void seen.delete(process),
    async leave() {
      await db.write((tx) => tx.run('delete from processes where id = ?', [id]))
    },
  }
}
