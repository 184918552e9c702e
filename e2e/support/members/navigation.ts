import { expect, type Page } from '@playwright/test'

/**
 * Goes to another page of the application as its links do, without loading the application anew, and waits until it is
 * that page that is shown: each has a title of its own.
 */
export async function moveTo(page: Page, path: string): Promise<void> {
  if (new URL(page.url()).pathname === path) return
  const before = await page.title()
  await page.evaluate((to) => history.pushState(null, '', to), path)
  await expect(page).not.toHaveTitle(before)
}
