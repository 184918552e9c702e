import type { Page } from '@playwright/test'

/** Minimum size of a touch target in CSS pixels, both ways: our own rule, stricter than WCAG's 24. */
const least = 44

/**
 * The visible controls that react to less than 44 by 44 px, each with its size. Measured by hit testing, so that an
 * area around a small icon counts, and one that is covered does not; a toast, which goes after seconds and moves when
 * the page is scrolled, covers none. Links in a sentence are as high as their line
 * (WCAG 2.2, 2.5.8), and elements only for screen readers have no size. If a menu or a dialog is open, only its
 * controls count.
 */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(async (minimum) => {
    // An element that slides in reaches beyond the window for a moment.
    const moving = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    await Promise.all(moving.map(({ finished }) => finished.catch(() => {})))
    const selector =
      'a[href], button, input, select, textarea, summary, [role=button], [role=menuitem], [role=tab], [role=switch]'
    const isInSentence = (control: Element) =>
      getComputedStyle(control).display === 'inline' &&
      [...(control.parentElement?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && /\w/.test(node.textContent ?? ''),
      )
    const isInToast = (element: Element) => element.closest('.toast-region') !== null
    const isDrawn = (control: Element) =>
      control.checkVisibility({ visibilityProperty: true }) &&
      !control.matches(':disabled') &&
      !control.closest('[inert], .sr') &&
      getComputedStyle(control).clipPath === 'none' &&
      control.getBoundingClientRect().bottom > 0

    /** How far the control reacts to a press, from its middle to both sides, at most `minimum` each way. */
    function extent(control: Element, dx: number, dy: number): number {
      const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : []
      const { x, y, width, height } = control.getBoundingClientRect()
      const reaches = (distance: number) => {
        const hit = document
          .elementsFromPoint(x + width / 2 + dx * distance, y + height / 2 + dy * distance)
          .find((each) => isInToast(control) || !isInToast(each))
        return hit !== undefined && [control, ...labels].some((each) => each.contains(hit))
      }
      if (!reaches(0)) return 0
      const reach = (sign: number) => {
        let distance = 0
        while (distance < minimum && reaches(sign * (distance + 0.5))) distance += 0.5
        return distance
      }
      return reach(1) + reach(-1)
    }

    const open = [...document.querySelectorAll('[role=menu], [role=dialog], .popover')].at(-1) ?? document
    return [...open.querySelectorAll(selector)].filter(isDrawn).flatMap((control) => {
      if (isInSentence(control)) return []
      control.scrollIntoView({ behavior: 'instant', block: 'center', inline: 'center' })
      const [width, height] = [extent(control, 1, 0), extent(control, 0, 1)]
      if (Math.min(width, height) >= minimum - 0.5) return []
      return [`${width} by ${height}: ${control.outerHTML.replaceAll(/\s+/g, ' ').slice(0, 120)}`]
    })
  }, least)
