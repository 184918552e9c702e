import axe from 'axe-core'
import { expect, type Page } from '@playwright/test'

/** Either the rules of these standards, or these rules alone. */
export interface Asked {
  type: 'tag' | 'rule'
  values: string[]
}

/** WCAG 2.2 A and AA. */
export const standard: Asked = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }

/**
 * What is wrong with the page as it is shown now. axe is put into a document once: its own connection to Playwright
 * does so for every question, and opens another page for each answer.
 */
export async function findFaults(page: Page, asked: Asked): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(async (runOnly) => {
    const { violations } = await axe.run({ runOnly, resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  }, asked)
}

/** A fault fails the journey, which goes on. */
export async function expectNothingFound(page: Page, asked: Asked, screen: string): Promise<void> {
  expect.soft(await findFaults(page, asked), screen).toEqual([])
}
