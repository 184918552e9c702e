import type { Job } from '../../core/jobs/scheduler.ts'
import { mailNewRequests } from './mail.ts'

export const supportJobs: Job[] = [
  { name: 'mail support requests', every: 60 * 60_000, inEach: true, run: mailNewRequests },
]
