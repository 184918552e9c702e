import { classes } from '../classes.ts'
import './progress.css'

/** A progress bar; `percent` is 0 to 100. */
export function Progress({ percent, label, tone }: { percent: number; label: string; tone?: 'crit' | 'ok' }) {
  const whole = Math.round(Math.min(100, Math.max(0, percent)))
  return (
    <div
      className={classes('bar', tone && `bar-${tone}`)}
      role="progressbar"
      aria-valuenow={whole}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-label={label}
    >
      <i style={{ width: `${whole}%` }} />
    </div>
  )
}
