import { type LucideIcon, Eye, ShieldCheck, Siren, TriangleAlert } from 'lucide-react'
import type { SecurityDashboard } from '@privity/contract/founder/incidents'
import type { Severity } from '@privity/contract/securityEvents'
import { formatNumber } from '../../../i18n/language.ts'
import { classes } from '../../../ui/classes.ts'
import { Fact } from '../../../ui/panel/Fact.tsx'
import { incidentTexts } from './texts.ts'
import '../../../ui/badge/severity.css'

const icons: Readonly<Record<Severity, LucideIcon>> = {
  low: ShieldCheck,
  medium: Eye,
  high: TriangleAlert,
  critical: Siren,
}

interface ThreatStripProps {
  /** Undefined while loading or if loading failed. */
  dashboard: SecurityDashboard | undefined
  failed?: boolean
}

/** Overall severity of the open incidents: low until the first response; nothing if loading failed. */
export function ThreatStrip({ dashboard, failed = false }: ThreatStripProps) {
  if (!dashboard && failed) return null
  const { threat } = incidentTexts
  const level = dashboard?.threatLevel ?? 'low'
  const Icon = icons[level]
  const counters = [
    [threat.counters.critical, dashboard?.severityCounts.critical],
    [threat.counters.high, dashboard?.severityCounts.high],
    [threat.counters.bruteForce, dashboard?.summaryStats.bruteForceCount],
    [threat.counters.coordinated, dashboard?.summaryStats.coordinatedAttackCount],
  ] as const
  return (
    <dl className="con-figures threat">
      <div className={classes('lvl', `sev-${level}`)}>
        <Icon aria-hidden="true" />
        <dt>{threat.title}</dt>
        <dd>
          {level.toUpperCase()}
          {level === 'critical' && <strong>{threat.immediate}</strong>}
        </dd>
      </div>
      {counters.map(([label, count]) => (
        <Fact key={label} label={label}>
          {count === undefined ? '-' : formatNumber(count)}
        </Fact>
      ))}
    </dl>
  )
}
