import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import { createTabText } from '../../browser/sessionStorageText.ts'
import { useStore } from '../../ui/useStore.ts'
import { titleCount } from './titleCount.ts'

/** Set by signing out, which loads the landing page anew: the focus goes to its heading as after a navigation. */
export const signedOutMark = createTabText('privity.signedOut')

let entered = signedOutMark.get() !== undefined
signedOutMark.set(undefined)

function focusHeading(heading: HTMLElement | null, options?: FocusOptions): void {
  heading?.setAttribute('tabindex', '-1')
  heading?.focus(options)
}

const headingInAddress = () => document.getElementById(location.hash.slice(1))

const inputs = ['wheel', 'touchstart', 'pointerdown', 'keydown']

/** Keeps an element at the top while what stands above it loads, until the user does something. */
function keepInView(element: HTMLElement): void {
  const observer = new ResizeObserver(() => element.scrollIntoView())
  const stop = () => {
    observer.disconnect()
    for (const type of inputs) removeEventListener(type, stop)
  }
  for (const type of inputs) addEventListener(type, stop, { passive: true })
  observer.observe(document.body)
}

function goToHeadingInAddress(): void {
  const heading = headingInAddress()
  focusHeading(heading, { preventScroll: true })
  if (heading) keepInView(heading)
}

/**
 * Sets the document's title. After a navigation, moves the focus to the page's heading, or to the heading named in the
 * address after #, so that a screen reader starts there. The first page otherwise keeps the browser's focus.
 * `keepsFocus`: the page has put the focus elsewhere itself.
 */
export function Page({ title, keepsFocus, children }: { title: string; keepsFocus?: boolean; children: ReactNode }) {
  const name = useTitle(title)
  useEffect(() => {
    if (headingInAddress()) goToHeadingInAddress()
    else if (entered && !keepsFocus) {
      focusHeading(document.querySelector('h1'), { preventScroll: true })
      scrollTo(0, 0)
    }
    entered = true
    // The router fires pushState even if the address did not change.
    addEventListener('pushState', goToHeadingInAddress)
    return () => removeEventListener('pushState', goToHeadingInAddress)
    // oxlint-disable-next-line react/exhaustive-deps -- only when the page appears
  }, [])
  return (
    <>
      {/* Sets the title when the build renders the landing page, where there is no document. */}
      {typeof document === 'undefined' && <title>{name}</title>}
      {children}
    </>
  )
}

/** Sets the document's title and returns it. A <title> element would be a second one beside that of index.html. */
export function useTitle(title: string): string {
  const unread = useStore(titleCount)
  const name = `${unread > 0 ? `(${unread}) ` : ''}${title} · Privity`
  useLayoutEffect(() => {
    document.title = name
  }, [name])
  return name
}
