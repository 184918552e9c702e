import type { Job } from '../../core/jobs/scheduler.ts'
import { removeOrphans, sweep } from './staleUploads.ts'

export const fileJobs: Job[] = [
  { name: 'sweep uploads and downloads', every: 10 * 60_000, run: sweep },
  { name: 'remove orphaned objects', every: 24 * 60 * 60_000, run: removeOrphans },
]
