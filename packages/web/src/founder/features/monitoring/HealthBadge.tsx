import { CircleCheck, CircleQuestionMark, OctagonAlert, TriangleAlert } from 'lucide-react'
import type { HealthProblem, SystemHealth } from '@privity/contract/founder/monitoring'
import { monitoringTexts as texts } from './texts.ts'
import '../../../ui/badge/badge.css'

const looks = {
  good: { tone: 'badge-success', Icon: CircleCheck },
  warning: { tone: 'badge-warning', Icon: TriangleAlert },
  critical: { tone: 'badge-critical', Icon: OctagonAlert },
  unknown: { tone: 'badge-warning', Icon: CircleQuestionMark },
} as const

interface Shown {
  health: SystemHealth | 'unknown'
  problems: readonly HealthProblem[]
}

/** The health in capitals with its problems; changes are announced to screen readers. */
export function HealthBadge({ health, problems }: Shown) {
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
