import type { Job } from '../../core/schedule.ts'
import { destroyExpired, emptyLog } from './retention.ts'

const every = 15_000

export const retentionJobs: Job[] = [
  { name: 'destroy what has expired', every, run: destroyExpired },
  { name: 'empty the log', every, inEach: true, run: emptyLog },
]
