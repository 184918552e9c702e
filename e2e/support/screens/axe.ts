import axe from 'axe-core'
import { expect, type Page } from '@playwright/test'

/** Runs either the rules of these standards, or only the rules listed. */
export interface Asked {
  type: 'tag' | 'rule'
  values: string[]
}

/** WCAG 2.2 A and AA. */
export const standard: Asked = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }

/**
 * The axe findings for the page in its current state. We inject axe once per document: its own Playwright integration
 * does so for every run, and opens another page for each result.
 */
export async function findFaults(page: Page, asked: Asked): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(async (runOnly) => {
    const { violations } = await axe.run({ runOnly, resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  }, asked)
}

/** A finding fails the journey, which continues. */
export async function expectNothingFound(page: Page, asked: Asked, screen: string): Promise<void> {
  expect.soft(await findFaults(page, asked), screen).toEqual([])
}
