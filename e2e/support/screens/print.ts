import type { Page } from '@playwright/test'

/** Clicks Print with a print dialog that closes at once; resolves with the text that replaces the page on paper. */
export async function printed(page: Page): Promise<string> {
  await page.evaluate(() => {
    window.print = () => {
      dispatchEvent(new Event('beforeprint'))
      document.documentElement.dataset['printed'] = document.querySelector('body > pre')?.textContent ?? ''
      dispatchEvent(new Event('afterprint'))
    }
  })
  await page.getByRole('button', { name: 'Print', exact: true }).click()
  return (await page.locator('html').getAttribute('data-printed')) ?? ''
}
