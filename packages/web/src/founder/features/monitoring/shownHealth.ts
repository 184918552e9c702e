import type { RealtimeStats, SystemHealth } from '@privity/contract/founder/monitoring'
import { isDatabaseAway, reasonOf } from '../../console/failureReason.ts'
import { monitoringTexts as texts } from './texts.ts'

/** Good until the first response, as specified; unknown if the newest poll failed. */
export function shownHealth(data: RealtimeStats | undefined, failed: boolean): SystemHealth | 'unknown' {
  return failed ? 'unknown' : (data?.systemHealth ?? 'good')
}

/** The reason for a failed poll. */
export const pollFailure = (error: unknown): string =>
  isDatabaseAway(error) ? texts.problems.database : reasonOf(error)
