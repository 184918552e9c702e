import type { ReactNode } from 'react'
import { classes } from '../classes.ts'
import './section.css'

interface SettingRowProps {
  label: ReactNode
  hint?: ReactNode
  /** What the row is about to change; on the right. */
  control?: ReactNode
  /** For wide controls: beneath the label on phones. */
  stacked?: boolean
}

/** One line of a section. */
export function SettingRow({ label, hint, control, stacked }: SettingRowProps) {
  return (
    <div className={classes('set-row', stacked && 'col')}>
      <div>
        <b>{label}</b>
        {hint && <span className="d">{hint}</span>}
      </div>
      {control}
    </div>
  )
}
