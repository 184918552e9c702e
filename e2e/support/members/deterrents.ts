import { expect, type Page } from '@playwright/test'

/** The watching begins once the preferences are known. */
export const watched = (page: Page) => expect(page.locator('html[data-no-print]')).toBeAttached()

/** Whether the menu that the next right click or key opens was kept from opening. */
export const menuBlocked = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        addEventListener('contextmenu', (event) => resolve(event.defaultPrevented), { once: true })
      }),
  )
