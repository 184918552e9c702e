import { useLayoutEffect, useRef } from 'react'
import { type Box, freeTop } from './toastPlacement.ts'

/** Never covered. */
const headings = 'h1, h2, h3, h4'
const areas = '[data-keep-clear]'
/** Not covered either: they lie above the toast, which would be hidden. */
const menus = '[role=menu], .popover'
/** Covered only if there is no other place. */
const others = 'form, [role=dialog], .alert'

function boxesOf(scope: ParentNode, selector: string, boxOf: (element: Element) => DOMRect): Box[] {
  return [...scope.querySelectorAll(selector)]
    .filter((element) => element.checkVisibility())
    .map(boxOf)
    .filter(({ width, height }) => width > 1 && height > 1)
}

/** Bounds of the text, because a heading is as wide as its page. */
function textBox(heading: Element): DOMRect {
  const range = document.createRange()
  range.selectNodeContents(heading)
  return heading.getBoundingClientRect().width > 1 ? range.getBoundingClientRect() : new DOMRect()
}

const wholeBox = (element: Element): DOMRect => element.getBoundingClientRect()

function place(region: HTMLElement): void {
  const before = region.style.top
  region.style.top = ''
  const box = wholeBox(region)
  // Content behind a dialog need not stay readable.
  const scope = [...document.querySelectorAll('.scrim')].at(-1) ?? document
  const top = freeTop(
    box,
    innerHeight,
    [...boxesOf(scope, headings, textBox), ...boxesOf(scope, areas, wholeBox)],
    boxesOf(document, menus, wholeBox),
    boxesOf(scope, others, wholeBox),
  )
  const next = top === box.top ? '' : `${top}px`
  if (next !== before) region.style.top = next
  else region.style.top = before
}

/** While a toast is shown, moves its region to where it covers no heading, menu or code card. */
export function useToastPlacement(shown: number | undefined) {
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const region = ref.current
    if (shown === undefined || !region) return
    const update = () => place(region)
    update()
    const ending = new AbortController()
    for (const event of ['resize', 'scrollend'])
      addEventListener(event, update, { capture: true, signal: ending.signal })
    // Menus open and pages change, and a menu is positioned only after it was added.
    const observer = new MutationObserver((records) => {
      if (records.some(({ target }) => target !== region)) update()
    })
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['style'] })
    return () => {
      ending.abort()
      observer.disconnect()
      region.style.top = ''
    }
  }, [shown])
  return ref
}
