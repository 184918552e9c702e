import type { Page } from '@playwright/test'

/** Stops the clock of an open page, so that what is shown for a while stays. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install()
  // The clock jumps further than a call may take: one on its way would be given up.
  await page.waitForLoadState('networkidle')
  await page.clock.pauseAt(Date.now() + 60_000)
}
