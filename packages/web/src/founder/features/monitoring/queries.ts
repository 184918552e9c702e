import { monitoring } from '@privity/contract/founder/monitoring'
import { monitoringLimits } from '@privity/contract/founder/monitoringLimits'
import { usePolled } from '../../console/usePolling.ts'

/** Shared poll of the monitoring section and its rail entry. */
export const useRealtimeStats = () => usePolled(monitoring.realtimeStats, {}, monitoringLimits.poll)

export const useMessageRate = () => usePolled(monitoring.messageRate, {}, monitoringLimits.ratePoll)
