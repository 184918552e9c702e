import type { Job } from '../../core/jobs/scheduler.ts'
import { checkEvery, checkHealth } from './health.ts'

export const healthJobs: Job[] = [{ name: 'check the health', every: checkEvery, inEach: true, run: checkHealth }]
