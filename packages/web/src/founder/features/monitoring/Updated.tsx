import { useEffect, useState } from 'react'
import { monitoringLimits } from '@privity/contract/founder/monitoringLimits'
import { classes } from '../../../ui/classes.ts'
import { monitoringTexts as texts } from './texts.ts'

/** Age of the newest data, counted every second and not announced to screen readers. */
export function Updated({ at }: { at: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const age = Math.max(0, now - at)
  return (
    <span className={classes('num', 'mon-updated', age > monitoringLimits.stale && 'is-stale')} aria-live="off">
      {texts.updated(Math.floor(age / 1_000))}
    </span>
  )
}
