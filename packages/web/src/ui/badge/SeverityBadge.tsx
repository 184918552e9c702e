import { classes } from '../classes.ts'
import './badge.css'
import './severity.css'

interface SeverityBadgeProps {
  severity: 'low' | 'medium' | 'high' | 'critical'
  label: string
}

/** Shows the severity by the number of filled bars and a label, not by colour alone. */
export function SeverityBadge({ severity, label }: SeverityBadgeProps) {
  return (
    <span className={classes('badge', 'sev', `sev-${severity}`)}>
      <span className="bars" aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
      </span>
      {label}
    </span>
  )
}
