import type { Severity } from '@privity/contract/securityEvents'
import { classes } from './classes.ts'
import '../styles/severity.css'

/** Never by its colour alone: four ascending bars, filled as far as the severity goes, and the word. */
export function SeverityBadge({ severity, label }: { severity: Severity; label: string }) {
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
