import { limits } from '@privity/contract/limits'
import type { Job } from '../../../core/jobs/scheduler.ts'
import { deleteOldAcknowledgements } from './acknowledgementQueries.ts'

/** Keeps acknowledgements as long as the events they are about. */
export const incidentJobs: Job[] = [
  {
    name: 'forget old acknowledgements',
    every: 60 * 60_000,
    async run({ db, clock }) {
      await db.write((tx) => deleteOldAcknowledgements(tx, clock.now() - limits.securityEventsKept))
    },
  },
]
