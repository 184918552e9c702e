import type { Db, Tx } from '../database/types.ts'

/** The right of one process to do work that must be done once. */
export interface Lease {
  /** Reads the database: a process that was paused may have lost the lease without knowing. */
  isHeld(): Promise<boolean>
  /** Throws LeaseLost if this process does not hold the lease, so that the transaction is rolled back. */
  check(tx: Tx): Promise<void>
  /** Calls `listener` when this process obtains the lease. */
  onHeld(listener: () => void): void
}

export class LeaseLost extends Error {
  constructor() {
    super('another process has taken the lease')
    this.name = 'LeaseLost'
  }
}

const select = 'select holder from leases where name = ?'

/** Creates a lease of process `id`. It is held as long as the holder has a row in `processes` (registry.ts). */
export function createLease(db: Db, name: string, id: string) {
  const listeners: (() => void)[] = []
  let held = false

  function setHeld(holds: boolean): boolean {
    const isAcquired = holds && !held
    held = holds
    if (isAcquired) for (const listener of listeners) listener()
    return holds
  }

  const holderOf = async (): Promise<string | undefined> =>
    (await db.read.get<{ holder: string }>(select, [name]))?.holder

  async function acquire(): Promise<boolean> {
    const { changes } = await db.write((tx) =>
      tx.run(
        `insert into leases (name, holder) values (?, ?)
         on conflict (name) do update set holder = excluded.holder
         where not exists (select 1 from processes where id = leases.holder)`,
        [name, id],
      ),
    )
    return changes > 0
  }

  const lease: Lease = {
    isHeld: async () => setHeld((await holderOf()) === id),
    async check(tx) {
      if ((await tx.get<{ holder: string }>(select, [name]))?.holder !== id) throw new LeaseLost()
    },
    onHeld: (listener) => void listeners.push(listener),
  }
  return {
    ...lease,
    /** Takes the lease if it has no holder, or a holder that is gone. */
    async renew(others: ReadonlySet<string>): Promise<void> {
      const holder = await holderOf()
      setHeld(holder === id || ((holder === undefined || !others.has(holder)) && (await acquire())))
    },
    async release(): Promise<void> {
      held = false
      await db.write((tx) => tx.run('delete from leases where name = ? and holder = ?', [name, id]))
    },
  }
}
