import { type CSSProperties, type ReactNode, useEffect, useState } from 'react'
import './skeleton.css'

/** A grey placeholder for loading content; sizes in px or any CSS length. */
export function Skeleton(style: Pick<CSSProperties, 'width' | 'height' | 'borderRadius'>) {
  return <span className="skel" style={style} />
}

/** Renders its children after a delay of 400 ms, so that fast responses do not flash a placeholder. */
export function AfterDelay({ children, delay = 400 }: { children: ReactNode; delay?: number }) {
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), delay)
    return () => clearTimeout(timer)
  }, [delay])
  return due ? children : null
}
