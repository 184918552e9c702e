import { limits } from '@privity/contract/limits'
import type { Job } from '../../core/jobs/scheduler.ts'
import { signHead } from './heads.ts'
import { deleteAddresses } from './queries.ts'

const batchSize = 200

export const auditLogJobs: Job[] = [
  { name: 'heads of the audit log', every: 60_000, run: signHead },
  {
    name: 'addresses in the audit log',
    every: 60 * 60 * 1000,
    async run({ db, clock }, stopping) {
      const before = clock.now() - limits.auditAddressesKept
      let removed = 0
      do {
        ;({ changes: removed } = await db.write(async (tx) => {
          const deleted = await deleteAddresses(tx, before, batchSize)
          if (deleted.changes > 0) tx.afterCommit(db.emptyLogSoon)
          return deleted
        }))
      } while (removed === batchSize && !stopping())
    },
  },
]
