import { type MouseEvent, useState } from 'react'
import { createTaps } from './founderTaps.ts'

/** For the logo of the landing page: it stays here, and the third click in time opens the founder's own application. */
export function useFounderTaps(): (event: MouseEvent<HTMLAnchorElement>) => void {
  const [tap] = useState(() => createTaps())
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (tap()) location.assign('/founder')
  }
}
