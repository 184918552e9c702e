import type { Clock } from '../clock.ts'
import type { Db, Tx } from '../database/types.ts'
import { registryTimes } from '../database/processHeartbeat.ts'

/** Which processes serve one database, by a row of each that it changes again and again. */
export interface Registry {
  /** Of the others, as the database said last. */
  others(): ReadonlySet<string>
  lookedAt(): number
  /** Changes the own row, looks at the others'. */
  beat(): Promise<void>
  /** A process has said that it ends. */
  drop(process: string): void
  leave(): Promise<void>
}

/**
 * SQL: what a row names in `process` is this one (a parameter, '' where there is one only), gone, or nobody: whoever
 * works on it elsewhere has ended.
 */
export const isFree = '(process is null or process = ? or not exists (select 1 from processes p where p.id = process))'

interface Seen {
  beat: number
  /** Since when it has not changed, by the clock of who looks: no two machines' clocks are compared. */
  since: number
}

/** How long (ms) it holds what the database said of the others. */
export const knownFor = 3 * registryTimes.beat

export interface RegistryOptions {
  db: Db
  clock: Clock
  /** Of this process. */
  id: string
  /** This process was taken for gone: it was paused, or could not write, for longer than `registryTimes.gone`. */
  returned(): void
  /** Throws where this process may not serve: asked in the transaction that writes its row down, at the start and on return. */
  admit?: ((tx: Tx) => Promise<void>) | undefined
  /** Another is there no more, and has not been dropped: nobody knows whether all that it said was heard. */
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
    // After a pause of this process, or of the database, nobody can be blamed for a row that stood still.
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
