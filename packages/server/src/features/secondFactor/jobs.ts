import { limits } from '@privity/contract/limits'
import type { Core } from '../../core/core.ts'
import type { Job } from '../../core/jobs/scheduler.ts'
import { forgetExpired } from './queries.ts'

const forget = ({ db, clock }: Core) =>
  db.write(async (tx) => {
    if (await forgetExpired(tx, clock.now(), clock.now() - limits.totpSetupTime)) tx.afterCommit(db.emptyLogSoon)
  })

export const secondFactorJobs: Job[] = [{ name: 'forget tickets and challenges', every: 60_000, run: forget }]
