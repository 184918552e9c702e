import { limits } from '@privity/contract/limits'
import { destroyInBatches } from '../../core/jobs/rowDeletion.ts'
import type { Job } from '../../core/jobs/scheduler.ts'
import { signHead } from './heads.ts'
import { deleteAddresses } from './queries.ts'

const batchSize = 200

export const auditLogJobs: Job[] = [
  { name: 'heads of the audit log', every: 60_000, run: signHead },
  {
    name: 'addresses in the audit log',
    every: 60 * 60 * 1000,
    run({ db, clock }, stopping) {
      const before = clock.now() - limits.auditAddressesKept
      return destroyInBatches(db, batchSize, (tx) => deleteAddresses(tx, before, batchSize), stopping)
    },
  },
]
