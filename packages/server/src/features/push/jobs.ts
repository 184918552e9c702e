import type { Job } from '../../core/jobs/scheduler.ts'
import { cancelWatched, sendDuePushes } from './delivery.ts'

export const pushJobs: Job[] = [
  { name: 'cancel pushes that are not needed', every: 2_000, inEveryProcess: true, run: cancelWatched },
  { name: 'send pushes', every: 2_000, run: sendDuePushes },
]
