import { classes } from '../classes.ts'
import './severity.css'

interface SeverityBadgeProps {
  severity: 'low' | 'medium' | 'high' | 'critical'
  label: string
}

/** Never by its colour alone: four ascending bars, filled as far as the severity goes, and the word. */
export function SeverityBadge({ severity, label }: SeverityBadgeProps) {
  return (
    <span className={classes('sev', `sev-${severity}`)}>
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
