import { expect, type Page } from '@playwright/test'

/**
 * Navigates to another page of the application as its links do, without reloading, and waits until that page is shown,
 * by its title.
 */
export async function moveTo(page: Page, path: string): Promise<void> {
  if (new URL(page.url()).pathname === path) return
  const before = await page.title()
  await page.evaluate((to) => history.pushState(null, '', to), path)
  await expect(page).not.toHaveTitle(before)
}
