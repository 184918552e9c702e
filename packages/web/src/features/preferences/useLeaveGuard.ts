import { useEffect, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { setBackListener } from '../../browser/backButton.ts'

interface Place {
  path: string
  state: unknown
}

const hereNow = (): Place => ({ path: location.pathname, state: history.state })

/** The page of this application that a plain click on a link opens. */
function placeOf(event: MouseEvent): Place | undefined {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || link.target || link.origin !== location.origin) return undefined
  return link.pathname === location.pathname ? undefined : { path: link.pathname, state: null }
}

/** Asks before the user leaves a page with unsaved changes by a link, the Back button or closing the tab. */
export function useLeaveGuard(dirty: boolean) {
  const [wanted, setWanted] = useState<Place>()
  useEffect(() => {
    if (!dirty) return
    const here = hereNow()
    const click = (event: MouseEvent) => {
      const place = placeOf(event)
      if (!place) return
      event.preventDefault()
      event.stopPropagation()
      setWanted(place)
    }
    const back = (event: PopStateEvent) => {
      event.stopImmediatePropagation()
      setWanted(hereNow())
      history.pushState(here.state, '', here.path)
    }
    const close = (event: BeforeUnloadEvent) => event.preventDefault()
    document.addEventListener('click', click, { capture: true })
    setBackListener(back)
    addEventListener('beforeunload', close)
    return () => {
      document.removeEventListener('click', click, { capture: true })
      setBackListener(undefined)
      removeEventListener('beforeunload', close)
    }
  }, [dirty])
  return {
    asking: wanted !== undefined,
    stay: () => setWanted(undefined),
    leave: () => wanted && navigate(wanted.path, { state: wanted.state }),
  }
}
