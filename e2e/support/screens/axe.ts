import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import { expect, type Page } from '@playwright/test'

/** Runs either the rules of these standards, or only the rules listed. */
export interface Asked {
  type: 'tag' | 'rule'
  values: string[]
}

/** WCAG 2.2 A and AA. */
export const standard: Asked = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }

/** The minified axe: `axe.source` is twice as long, and each document has to receive and compile it. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * The axe findings for the page in its current state. We inject axe once per document: its own Playwright integration
 * does so for every run, and opens another page for each result.
 */
export async function findFaults(page: Page, asked: Asked): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  return page.evaluate(async (runOnly) => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({
      runOnly,
      resultTypes: ['violations'],
    })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  }, asked)
}

/** A finding fails the journey, which continues. */
export async function expectNothingFound(page: Page, asked: Asked, screen: string): Promise<void> {
  expect.soft(await findFaults(page, asked), screen).toEqual([])
}
