import type { RealtimeStats, SystemHealth } from '@privity/contract/founder/monitoring'
import { isDatabaseAway, reasonOf } from '../../console/failureReason.ts'
import { monitoringTexts as texts } from './texts.ts'

/** Good until the first answer, as the specification has it; unknown while the newest poll has failed. */
export function shownHealth(data: RealtimeStats | undefined, failed: boolean): SystemHealth | 'unknown' {
  return failed ? 'unknown' : (data?.systemHealth ?? 'good')
}

/** Why the poll failed. */
export const pollFailure = (error: unknown): string =>
  isDatabaseAway(error) ? texts.problems.database : reasonOf(error)
