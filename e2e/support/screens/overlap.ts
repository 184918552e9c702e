import type { Page } from '@playwright/test'

/** Headings, menus, headers and the code card that the toast covers, each with its text. */
export const coveredByToast = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const shown = document.querySelector('.toast')
    // It slides into its place.
    await Promise.allSettled((shown?.getAnimations() ?? []).map(({ finished }) => finished))
    const toast = shown?.getBoundingClientRect()
    if (!toast) return ['no toast is shown']
    const boxOf = (element: Element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return element.matches('h1, h2, h3, h4') ? range.getBoundingClientRect() : element.getBoundingClientRect()
    }
    const named = 'h1, h2, h3, h4, [role=menu], .popover, .deed, .topbar, .chat-h, .sheet-h, .dialog-h'
    const covered = [...document.querySelectorAll(named)].filter((element) => {
      const { left, right, top, bottom } = boxOf(element)
      const isShown = element.checkVisibility() && element.getBoundingClientRect().width > 1
      if (!isShown || left >= toast.right || toast.left >= right || top >= toast.bottom || toast.top >= bottom)
        return false
      // Only what lies under the toast counts: a menu may lie above it.
      const [x, y] = [Math.max(left, toast.left) + 2, Math.max(top, toast.top) + 2]
      return document.elementFromPoint(x, y)?.closest('.toast') !== null
    })
    const isInside = toast.left >= 0 && toast.top >= 0 && toast.right <= innerWidth && toast.bottom <= innerHeight
    return [
      ...covered.map((element) => `${element.tagName}.${element.className}: ${element.textContent.slice(0, 60)}`),
      ...(isInside ? [] : ['the edge of the window']),
    ]
  })
