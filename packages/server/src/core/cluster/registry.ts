import type { Clock } from '../clock.ts'
import type { Db, Tx } from '../database/types.ts'
import { registryTimes } from '../database/processHeartbeat.ts'

/** The processes that serve one database. Each updates a row of its own as its heartbeat. */
export interface Registry {
  /** The other living processes, as of the last read of the database. */
  others(): ReadonlySet<string>
  refreshedAt(): number
  /** Updates this process's row and reads those of the other processes. */
  beat(): Promise<void>
  /** Removes a process that has announced its end. */
  remove(process: string): void
  leave(): Promise<void>
}

/**
 * SQL condition: no other living process works on the row, so this process may claim it. The parameter is the id of
 * this process, '' if there can be only one.
 */
export const isUnclaimed =
  '(process is null or process = ? or not exists (select 1 from processes p where p.id = process))'

interface ObservedBeat {
  beat: number
  /** When it last changed, by this process's clock: clocks of two machines are never compared. */
  since: number
}

/** The list of processes is trusted for this long after it was read. */
export const maxRegistryAgeMs = 3 * registryTimes.beat

export interface RegistryOptions {
  db: Db
  clock: Clock
  /** This process. */
  id: string
  /** Called after this process was removed as gone: it was paused, or could not write, for too long. */
  onReturned(): void
  /** Throws if this process may not serve. Runs in the transaction that inserts its row. */
  admit?: ((tx: Tx) => Promise<void>) | undefined
  /** Called when another process disappeared without announcing its end: its last notices may be lost. */
  onVanished(): void
}

export function createRegistry({ db, clock, id, admit, onReturned, onVanished }: RegistryOptions): Registry {
  let observed = new Map<string, ObservedBeat>()
  let refreshedAt = Number.NEGATIVE_INFINITY
  let joined = false

  async function writeBeat(): Promise<boolean> {
    return db.write(async (tx) => {
      const { changes } = await tx.run('update processes set beat = beat + 1 where id = ?', [id])
      if (changes > 0) return false
      await tx.run('insert into processes (id, beat) values (?, 1)', [id])
      await admit?.(tx)
      return true
    })
  }

  async function refresh(): Promise<void> {
    const rows = await db.read.all<{ id: string; beat: number }>('select id, beat from processes where id <> ?', [id])
    const now = clock.now()
    // After a pause of this process or the database an unchanged row does not prove that its process is gone.
    const wasAway = now - refreshedAt > 2 * registryTimes.beat
    const before = observed
    observed = new Map()
    refreshedAt = now
    for (const row of rows) {
      const known = before.get(row.id)
      const isUnchanged = known?.beat === row.beat && !wasAway
      const since = isUnchanged ? known.since : now
      if (now - since < registryTimes.gone) observed.set(row.id, { beat: row.beat, since })
      else await db.write((tx) => tx.run('delete from processes where id = ? and beat = ?', [row.id, row.beat]))
    }
    if ([...before.keys()].some((other) => !observed.has(other))) onVanished()
  }

  return {
    others: () => new Set(observed.keys()),
    refreshedAt: () => refreshedAt,
    async beat() {
      const isNew = await writeBeat()
      if (isNew && joined) onReturned()
      joined = true
      await refresh()
    },
    remove: (process) => void observed.delete(process),
    async leave() {
      await db.write((tx) => tx.run('delete from processes where id = ?', [id]))
    },
  }
}
