import type { Job } from '../../core/schedule.ts'
import { sweep } from './sweep.ts'

export const fileJobs: Job[] = [{ name: 'sweep files', every: 10 * 60_000, run: sweep }]
