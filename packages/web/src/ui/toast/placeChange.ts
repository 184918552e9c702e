import { leaveToast } from './toastStore.ts'

/** Events of the router and, for Back and Forward, of the browser. */
const moves = ['pushState', 'replaceState', 'popstate']

/** Dismisses a toast when the page or the open conversation changes. */
export function endToastsWithPlace(placeOf: () => string): void {
  let place = placeOf()
  for (const move of moves)
    addEventListener(move, () => {
      const next = placeOf()
      if (next !== place) leaveToast()
      place = next
    })
}
