import { leaveToast } from './toastStore.ts'

/** Told by the router; Back and Forward by the browser. */
const moves = ['pushState', 'replaceState', 'popstate']

/** Ends a toast with the place it was shown at: the page, and the conversation that is open on it. */
export function endToastsWithPlace(placeOf: () => string): void {
  let place = placeOf()
  for (const move of moves)
    addEventListener(move, () => {
      const next = placeOf()
      if (next !== place) leaveToast()
      place = next
    })
}
