import { type MouseEvent, useState } from 'react'
import { createTaps } from './founderTaps.ts'

/** Click handler for the landing page's logo: does not navigate; the third quick click opens the founder console. */
export function useFounderTaps(): (event: MouseEvent<HTMLAnchorElement>) => void {
  const [tap] = useState(() => createTaps())
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (tap()) location.assign('/founder')
  }
}
