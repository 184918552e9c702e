import type { ReactNode } from 'react'
import { classes } from '../classes.ts'
import './section.css'

interface SettingRowProps {
  label: ReactNode
  hint?: ReactNode
  /** The control on the right that changes the setting. */
  control?: ReactNode
  /** For wide controls: below the label on phones. */
  stacked?: boolean
}

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
