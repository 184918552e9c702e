import type { Core } from '../../core/core.ts'
import type { Job } from '../../core/jobs/scheduler.ts'
import { finishEndings } from './endings.ts'
import { deleteExpiredFormer } from './formerContactQueries.ts'

const forget = ({ db, clock }: Core) =>
  db.write(async (tx) => {
    const { changes } = await deleteExpiredFormer(tx, clock.now())
    if (changes > 0) tx.afterCommit(db.emptyLogSoon)
  })

export const connectionJobs: Job[] = [
  { name: 'forget former contacts', every: 60_000, run: forget },
  {
    name: 'finish deletions of accounts',
    every: 15_000,
    run: (core, stopping) => finishEndings(core, 'everybody', stopping),
  },
]
