import { expect, type Locator, type Page } from '@playwright/test'
import { overflow } from './accessibility.ts'

/** A window of 1280 by 1024 at 400 % (WCAG 2.2, 1.4.10). */
export const zoomed = { width: 320, height: 256 }

/**
 * Expects no horizontal scrolling, neither of the page nor of a part of it, and nothing cut off. Navigation and tables
 * may scroll.
 */
export async function expectReflow(page: Page, screen: string): Promise<void> {
  expect.soft(await overflow(page), screen).toBeLessThanOrEqual(0)
  const parts = await page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((part) => /auto|scroll/.test(getComputedStyle(part).overflowX) && part.scrollWidth > part.clientWidth)
      .filter((part) => !part.matches('nav, [role=tablist]'))
      .filter((part) =>
        [...part.querySelectorAll('table')].every((table) => getComputedStyle(table).display !== 'table'),
      )
      .map((part) => `${part.tagName} ${part.className} ${part.scrollWidth}`),
  )
  expect.soft(parts, screen).toEqual([])
  expect.soft(await cutOff(page), screen).toEqual([])
}

/** Texts whose end is hidden without an ellipsis, and selected options that are not shown whole. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    // Each element once: a long document has thousands of texts below the same ones.
    const edges = new Map<Element, number>()
    const edgeOf = (part: Element | null): number => {
      if (!part) return Infinity
      const known = edges.get(part)
      if (known !== undefined) return known
      const { overflowX, textOverflow } = getComputedStyle(part)
      const isOpen = /auto|scroll/.test(overflowX) || textOverflow === 'ellipsis' || part.clientWidth <= 1
      const own = overflowX === 'visible' ? Infinity : part.getBoundingClientRect().right
      const edge = isOpen ? Infinity : Math.min(own, edgeOf(part.parentElement))
      edges.set(part, edge)
      return edge
    }
    const endOf = (text: Node) => {
      const range = document.createRange()
      range.selectNodeContents(text)
      return Math.max(...[...range.getClientRects()].map(({ right }) => right))
    }
    const texts: Node[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) texts.push(walker.currentNode)
    const cut = texts.filter(
      (text) => !text.parentElement?.closest('option') && endOf(text) > edgeOf(text.parentElement) + 1,
    )

    const isCut = (select: HTMLSelectElement) => {
      const { offsetWidth: width, style } = select
      const { cssText } = style
      style.cssText += '; field-sizing: content; position: absolute; width: auto; max-width: none'
      const whole = select.offsetWidth
      style.cssText = cssText
      return select.checkVisibility() && whole > width
    }
    const selects = [...document.querySelectorAll('select')]
      .filter(isCut)
      .map(({ selectedOptions: [chosen] }) => chosen)
    return [...cut, ...selects].map((text) => text?.textContent ?? '')
  })

/** Words that are broken without a hyphen, of elements that begin with a text. */
export const brokenWords = (elements: Locator): Promise<string[]> =>
  elements.evaluateAll((all) =>
    all
      .flatMap(({ firstChild }) => (firstChild instanceof Text ? [firstChild] : []))
      .flatMap((text) =>
        [...text.data.matchAll(/[^\s\u00AD-]+/g)].flatMap(({ 0: word, index }) => {
          const range = document.createRange()
          // Measured from the second letter, because a hyphen drawn before the word belongs to the first.
          range.setStart(text, index + 1)
          range.setEnd(text, index + word.length)
          return range.getClientRects().length > 1 ? [word] : []
        }),
      ),
  )

/** Visible controls that are wider than the window, or of which a tenth stays hidden after scrolling to them. */
export const outOfReach = (controls: Locator): Promise<string[]> =>
  controls.evaluateAll(async (all, width) => {
    /** The visible share of a control, relative to the most that its scroll container can show. */
    const shownOf = (control: Element) =>
      new Promise<number>((resolve) => {
        const observer = new IntersectionObserver(([entry]) => {
          observer.disconnect()
          const { clientHeight = innerHeight } = control.closest('[role=menu]') ?? {}
          if (!entry) return resolve(0)
          const { intersectionRect: seen, boundingClientRect: whole } = entry
          resolve((seen.width * seen.height) / (whole.width * Math.min(whole.height, clientHeight)))
        })
        observer.observe(control)
      })
    const found: string[] = []
    for (const control of all) {
      const isDrawn = control.checkVisibility({ visibilityProperty: true }) && control.getClientRects().length > 0
      if (!isDrawn) continue
      control.scrollIntoView({ behavior: 'instant', block: 'nearest' })
      const shown = await shownOf(control)
      const { left, right } = control.getBoundingClientRect()
      if (shown < 0.9 || left < 0 || right > width)
        found.push(`${control.outerHTML.slice(0, 200)}: ${shown} shown, from ${left} to ${right}`)
    }
    return found
  }, zoomed.width)
