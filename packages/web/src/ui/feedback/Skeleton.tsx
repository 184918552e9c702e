import { type CSSProperties, type ReactNode, useEffect, useState } from 'react'
import './skeleton.css'

/** One grey bar in the place of what is coming; sizes in px or any CSS length. */
export function Skeleton(style: Pick<CSSProperties, 'width' | 'height' | 'borderRadius'>) {
  return <span className="skel" style={style} />
}

/** Shows its children only once loading has lasted 400 ms, so that quick answers do not flash. */
export function AfterDelay({ children, delay = 400 }: { children: ReactNode; delay?: number }) {
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), delay)
    return () => clearTimeout(timer)
  }, [delay])
  return due ? children : null
}
