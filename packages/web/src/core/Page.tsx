import { type ReactNode, useEffect } from 'react'

let entered = false

/**
 * Names the document, and after a change of page moves the focus to its heading, so that a screen reader
 * starts there. The first page keeps the browser's own focus.
 */
export function Page({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    if (entered) {
      const heading = document.querySelector('h1')
      heading?.setAttribute('tabindex', '-1')
      heading?.focus({ preventScroll: true })
      scrollTo(0, 0)
    }
    entered = true
  }, [])
  return (
    <>
      <title>{`${title} · Privity`}</title>
      {children}
    </>
  )
}
