import type { Page } from '@playwright/test'
import { type Asked, expectNothingFound, standard } from './axe.ts'

/** What the dark theme can change, and what the other density can. */
const colours: Asked = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }
const sizes: Asked = { type: 'rule', values: ['target-size'] }

/**
 * WCAG 2.2 A and AA, as far as a machine can tell, in both themes and densities: the dark theme differs in its colours
 * only, the other density in its sizes.
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

/** Shows the page in `density` ('' for none of its own), or in the other one than it is in; answers the one it was in. */
const exchangeDensity = (page: Page, density?: string): Promise<string> =>
  page.evaluate((wanted) => {
    const { dataset } = document.documentElement
    const before = dataset.density ?? ''
    dataset.density = wanted ?? (before === 'compact' ? 'comfortable' : 'compact')
    if (dataset.density === '') delete dataset.density
    return before
  }, density)

/** However short they are, transitions begin with the colours of before. */
async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(() => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    return Promise.allSettled(transitions.map(({ finished }) => finished))
  })
}

/** By how many pixels the page scrolls sideways. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
