import { type ReactNode, useEffect } from 'react'
import { useTitle } from '../../browser/useTitle.ts'

let entered = false

function focusHeading(heading: HTMLElement | null, options?: FocusOptions): void {
  heading?.setAttribute('tabindex', '-1')
  heading?.focus(options)
}

const headingInAddress = () => document.getElementById(location.hash.slice(1))

function goToHeadingInAddress(): void {
  const heading = headingInAddress()
  focusHeading(heading, { preventScroll: true })
  heading?.scrollIntoView()
}

/**
 * Names the document, and after a change of page moves the focus to its heading, so that a screen reader
 * starts there; to the heading after the # of the address, where it names one. The first page otherwise keeps
 * the browser's own focus.
 */
export function Page({ title, children }: { title: string; children: ReactNode }) {
  const name = useTitle(title)
  useEffect(() => {
    if (headingInAddress()) goToHeadingInAddress()
    else if (entered) {
      focusHeading(document.querySelector('h1'), { preventScroll: true })
      scrollTo(0, 0)
    }
    entered = true
    // Told by the router, also when the address was the same before.
    addEventListener('pushState', goToHeadingInAddress)
    return () => removeEventListener('pushState', goToHeadingInAddress)
  }, [])
  return (
    <>
      {/* For the build, which renders the landing page. */}
      {typeof document === 'undefined' && <title>{name}</title>}
      {children}
    </>
  )
}
