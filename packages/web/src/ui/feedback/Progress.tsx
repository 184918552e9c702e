import { type CSSProperties, type ReactNode, useEffect, useState } from 'react'
import { LoaderCircle } from 'lucide-react'
import { classes } from '../classes.ts'
import './progress.css'

/** A progress bar; `percent` is 0 to 100. */
export function Progress({ percent, label, tone }: { percent: number; label: string; tone?: 'crit' }) {
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

/** A grey placeholder for loading content; sizes in px or any CSS length. */
export function Skeleton(style: Pick<CSSProperties, 'width' | 'height' | 'borderRadius'>) {
  return <span className="skel" style={style} />
}

/** Duration in ms of a wait after which a screen says that the server has not answered. */
export const longWait = 8_000

/** Renders its children after a delay of 400 ms, so that fast responses do not flash a placeholder. */
export function AfterDelay({ children, delay = 400 }: { children: ReactNode; delay?: number }) {
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), delay)
    return () => clearTimeout(timer)
  }, [delay])
  return due ? children : null
}

export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle className={classes('ic', 'spin', className)} />
}
