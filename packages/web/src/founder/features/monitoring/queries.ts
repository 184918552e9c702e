import { monitoring } from '@privity/contract/founder/monitoring'
import { monitoringLimits } from '@privity/contract/founder/monitoringLimits'
import { usePolled } from '../../console/usePolling.ts'

/** The one poll that the section, and its part of the rail, live by. */
export const useRealtimeStats = () => usePolled(monitoring.realtimeStats, {}, monitoringLimits.poll)

export const useMessageRate = () => usePolled(monitoring.messageRate, {}, monitoringLimits.ratePoll)
