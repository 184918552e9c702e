import { CircleCheck, CircleQuestionMark, OctagonAlert, TriangleAlert } from 'lucide-react'
import type { HealthProblem, RealtimeStats, SystemHealth } from '@privity/contract/founder/monitoring'
import { isDatabaseUnavailable, loadFailure } from '../../console/LoadError.tsx'
import { monitoringTexts as texts } from './texts.ts'
import '../../../ui/badge/badge.css'

const looks = {
  good: { tone: 'badge-success', Icon: CircleCheck },
  warning: { tone: 'badge-warning', Icon: TriangleAlert },
  critical: { tone: 'badge-critical', Icon: OctagonAlert },
  unknown: { tone: 'badge-warning', Icon: CircleQuestionMark },
} as const

/** Good until the first response, as specified; unknown if the newest poll failed. */
export function shownHealth(data: RealtimeStats | undefined, failed: boolean): SystemHealth | 'unknown' {
  return failed ? 'unknown' : (data?.systemHealth ?? 'good')
}

/** The reason for a failed poll. */
export const pollFailure = (error: unknown): string =>
  isDatabaseUnavailable(error) ? texts.problems.database : loadFailure(error)

interface HealthBadgeProps {
  health: SystemHealth | 'unknown'
  problems: readonly HealthProblem[]
}

/** The health in capitals with its problems; changes are announced to screen readers. */
export function HealthBadge({ health, problems }: HealthBadgeProps) {
  const { tone, Icon } = looks[health]
  return (
    <span className="mon-health" role="status">
      <span className={`badge ${tone}`}>
        <Icon className="ic ic-sm" />
        {texts.health(health.toUpperCase())}
      </span>
      {problems.map((problem) => (
        <span key={problem} className="mon-problem">
          {texts.problems[problem]}
        </span>
      ))}
    </span>
  )
}
