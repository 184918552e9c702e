import type { Job } from '../../core/schedule.ts'
import { destroyExpired } from './retention.ts'

export const retentionJobs: Job[] = [{ name: 'destroy what has expired', every: 15_000, run: destroyExpired }]
