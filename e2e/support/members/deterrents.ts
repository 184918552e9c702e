import { expect, type Page } from '@playwright/test'

/** Waits until deterrents are active, which is once the preferences are loaded. */
export const watched = (page: Page) => expect(page.locator('html[data-no-print]')).toBeAttached()

/** Whether the next context menu, by right click or keyboard, is blocked. */
export const menuBlocked = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        addEventListener('contextmenu', (event) => resolve(event.defaultPrevented), { once: true })
      }),
  )
