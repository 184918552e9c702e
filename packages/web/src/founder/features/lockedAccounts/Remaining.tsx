import { useSyncExternalStore } from 'react'
import { lockedTexts } from './texts.ts'

const second = 1000

/** Remaining time of a lock at `now`, in minutes and seconds. */
export function remainingWords(lockedUntil: number, now: number): string {
  const left = Math.ceil((lockedUntil - now) / second)
  if (left <= 0) return lockedTexts.ended
  return lockedTexts.remaining(Math.floor(left / 60), String(left % 60).padStart(2, '0'))
}

function everySecond(changed: () => void): () => void {
  const timer = setInterval(changed, second)
  return () => clearInterval(timer)
}

const thisSecond = () => Math.floor(Date.now() / second) * second

/** Counts down every second, without announcing each change to screen readers. */
export function Remaining({ lockedUntil }: { lockedUntil: number }) {
  const now = useSyncExternalStore(everySecond, thisSecond, thisSecond)
  return <span className="mono">{remainingWords(lockedUntil, now)}</span>
}
