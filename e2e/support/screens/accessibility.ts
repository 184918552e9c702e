import { expect, type Page } from '@playwright/test'
import { type Asked, expectNothingFound, standard } from './axe.ts'

/** Rules that the dark theme can affect (`colours`), and those that the density can (`sizes`). */
const colours: Asked = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }
const sizes: Asked = { type: 'rule', values: ['target-size'] }

/**
 * Expects WCAG 2.2 A and AA, as far as axe can test it, in both themes and densities. The dark theme differs only in
 * colours, the other density only in sizes.
 */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  await showIn(page, 'light')
  await expectNothingFound(page, standard, screen)
  await showIn(page, 'dark')
  await expectNothingFound(page, colours, `${screen}, dark`)
  const density = await exchangeDensity(page)
  await expectNothingFound(page, sizes, `${screen}, in the other density`)
  await exchangeDensity(page, density)
}

/** The same, and no horizontal scrolling on a phone. */
export async function expectAccessibleOnPhone(page: Page, screen: string): Promise<void> {
  await expectAccessible(page, screen)
  const usual = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 740 })
  expect.soft(await overflow(page), screen).toBeLessThanOrEqual(0)
  if (usual) await page.setViewportSize(usual)
}

/** Sets the page's density ('' for none), by default to the other one; resolves with the previous one. */
const exchangeDensity = (page: Page, density?: string): Promise<string> =>
  page.evaluate((wanted) => {
    const { dataset } = document.documentElement
    const before = dataset.density ?? ''
    dataset.density = wanted ?? (before === 'compact' ? 'comfortable' : 'compact')
    if (dataset.density === '') delete dataset.density
    return before
  }, density)

/** Waits for the transitions: even the shortest begins with the old colours. */
async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(() => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    return Promise.allSettled(transitions.map(({ finished }) => finished))
  })
}

/** Pixels by which the page scrolls horizontally. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
