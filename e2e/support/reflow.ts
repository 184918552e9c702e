import { expect, type Page } from '@playwright/test'
import { overflow } from './accessible.ts'

/** A window of 1280 by 1024 at 400 %: WCAG 2.2, 1.4.10. */
export const zoomed = { width: 320, height: 256 }

/** What would have to be scrolled sideways: the page, or a part of it. Navigation and tables may be. */
export async function expectReflow(page: Page, screen: string): Promise<void> {
  expect.soft(await overflow(page), screen).toBeLessThanOrEqual(0)
  const parts = await page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((part) => /auto|scroll/.test(getComputedStyle(part).overflowX) && part.scrollWidth > part.clientWidth)
      .filter((part) => !part.matches('nav, [role=tablist]') && !part.querySelector('table'))
      .map((part) => `${part.tagName} ${part.className} ${part.scrollWidth}`),
  )
  expect.soft(parts, screen).toEqual([])
}
