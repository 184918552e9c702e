import { incidents } from '@privity/contract/founder/incidents'
import { limits } from '@privity/contract/limits'
import { RailCount } from '../../console/RailCount.tsx'
import { usePolled } from '../../console/usePolling.ts'
import { incidentTexts } from './texts.ts'

export function IncidentCount() {
  const { data } = usePolled(incidents.dashboard, {}, limits.incidentsPoll)
  const { critical = 0, high = 0, medium = 0, low = 0 } = data?.severityCounts ?? {}
  return (
    <RailCount
      count={critical + high + medium + low}
      tone={critical + high > 0 ? 'crit' : 'warn'}
      label={incidentTexts.open}
    />
  )
}
