import { useLayoutEffect, useRef } from 'react'

/** Never covered. */
const headings = 'h1, h2, h3, h4'
const areas = '[data-keep-clear=""], .update'
/** Not covered either: they lie above the toast, which would be hidden. */
const menus = '[role=menu], .popover'
/** Covered only if there is no other place. */
const others = 'form, [role=dialog], .alert'
/** Covered before those: rows of a list, of which a toast covers the lowest. */
const rows = '[data-keep-clear=rows]'

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
  region.removeAttribute('style')
  // Content behind a dialog need not stay readable.
  const scope = [...document.querySelectorAll('.scrim')].at(-1) ?? document
  const openMenus = boxesOf(document, menus, wholeBox)
  const obstacles = {
    groups: [
      [...boxesOf(scope, headings, textBox), ...boxesOf(scope, areas, wholeBox)],
      openMenus,
      boxesOf(scope, others, wholeBox),
    ],
    rows: boxesOf(scope, rows, wholeBox),
  }
  const findTop = () => freeTop(wholeBox(region), innerHeight, obstacles)
  let top = findTop()
  const right = rightBeside(moved(wholeBox(region), top), openMenus)
  if (right !== undefined) {
    region.style.right = `${document.documentElement.clientWidth - right}px`
    top = findTop()
  }
  if (top !== wholeBox(region).top) region.style.top = `${top}px`
}

/** While a toast is shown, moves its region to where it covers no heading, menu, code card or, if possible, row. */
export function useToastPlacement(shown: number | undefined) {
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const region = ref.current
    if (shown === undefined || !region) return
    const update = () => place(region)
    update()
    const ending = new AbortController()
    // A menu that slides in is measured again where it ends.
    for (const event of ['resize', 'scrollend', 'animationend'])
      addEventListener(event, update, { capture: true, signal: ending.signal })
    // Menus open and pages change, and a menu is positioned only after it was added.
    const observer = new MutationObserver((records) => {
      if (records.some(({ target }) => target !== region)) update()
    })
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['style'] })
    return () => {
      ending.abort()
      observer.disconnect()
      region.removeAttribute('style')
    }
  }, [shown])
  return ref
}

export interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

/** Distance in px from obstacles and from the edges of the window. */
const gap = 8

const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

// Copy each property: spreading a DOMRect copies none.
const moved = (box: Box, top: number): Box => {
  const { left, right } = box
  return { left, right, top, bottom: top + box.bottom - box.top }
}

/** Narrowest readable toast, in px. */
const minWidth = 240

/** The right edge of a box that is moved to the left of the menus that hide it; undefined without a reason or room. */
export function rightBeside(box: Box, menus: readonly Box[]): number | undefined {
  const hiding = menus.filter((menu) => overlaps(box, menu))
  const right = Math.min(...hiding.map(({ left }) => left)) - gap
  return hiding.length > 0 && right - gap >= minWidth ? right : undefined
}

/** Positions at which the box covers none of these, the nearest to the current one first. */
function freeTops(box: Box, windowHeight: number, obstacles: readonly Box[]): number[] {
  const height = box.bottom - box.top
  const lowest = windowHeight - gap - height
  const tops = [box.top, lowest, ...obstacles.flatMap(({ top, bottom }) => [bottom + gap, top - gap - height])]
  return tops
    .filter((top) => top >= gap && top <= lowest)
    .filter((top) => !obstacles.some((obstacle) => overlaps(moved(box, top), obstacle)))
    .toSorted((a, b) => Math.abs(a - box.top) - Math.abs(b - box.top))
}

interface Obstacles {
  /** Groups by priority: without enough room, the last groups are covered. */
  groups: readonly (readonly Box[])[]
  /** Covered before any group, at the lowest position: the first rows of a list are used the most. */
  rows?: readonly Box[]
}

/** The top position closest to the current one at which the box covers nothing. Without any room, the box stays. */
export function freeTop(box: Box, windowHeight: number, { groups, rows = [] }: Obstacles): number {
  const [free] = freeTops(box, windowHeight, [...groups.flat(), ...rows])
  if (free !== undefined) return free
  for (let count = groups.length; count > 0; count--) {
    const tops = freeTops(box, windowHeight, groups.slice(0, count).flat())
    const top = count === groups.length && rows.length > 0 ? tops.toSorted((a, b) => b - a)[0] : tops[0]
    if (top !== undefined) return top
  }
  return box.top
}
