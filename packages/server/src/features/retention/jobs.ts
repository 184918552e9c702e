import type { Job } from '../../core/jobs/scheduler.ts'
import { destroyExpired, destroyExpiredFiles, emptyLog } from './retention.ts'

const every = 15_000

export const retentionJobs: Job[] = [
  { name: 'destroy what has expired', every, run: destroyExpired },
  { name: 'destroy expired files', every, run: destroyExpiredFiles },
  { name: 'empty the log', every, inEach: true, run: emptyLog },
]
