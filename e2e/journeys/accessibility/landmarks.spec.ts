import type { Page } from '@playwright/test'
import { openSignUp } from '../../support/members/account.ts'
import { type Asked, expectNothingFound } from '../../support/screens/axe.ts'
import { connectionRow, openConversation } from '../../support/members/conversation.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { memberPages } from '../../support/members/pages.ts'
import { expect, test } from '../../support/members/pair.ts'
import { helen } from '../../support/members/people.ts'

/** Rules beyond WCAG that axe calls best practice. */
const practice: Asked = { type: 'tag', values: ['best-practice'] }

const pages = [...memberPages, '/terms', '/nowhere']

/**
 * Expects one main landmark, one first heading, a name for each navigation, side and one of several articles, an
 * element for each reference to what a control controls, and an autocomplete token for each field.
 */
async function expectOrder(page: Page, screen: string): Promise<void> {
  await expectNothingFound(page, practice, screen)
  const order = await page.evaluate(() => {
    const isShown = (element: Element) => element.checkVisibility()
    const count = (selector: string) => [...document.querySelectorAll(selector)].filter(isShown).length
    const named = (element: Element) => element.hasAttribute('aria-label') || element.hasAttribute('aria-labelledby')
    const fields =
      'input:not([type=checkbox], [type=radio], [type=file], [type=date], [type=hidden], [readonly]), textarea'
    return {
      mains: count('main, [role=main]'),
      headings: count('h1'),
      nameless: [...document.querySelectorAll('nav, aside, article:not(:only-of-type)')]
        .filter((part) => isShown(part) && !named(part))
        .map((part) => part.outerHTML.slice(0, 60)),
      controlsNothing: [...document.querySelectorAll('[aria-controls]')]
        .filter((control) => document.getElementById(control.getAttribute('aria-controls') ?? '') === null)
        .map((control) => control.outerHTML.slice(0, 60)),
      withoutToken: [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(fields)]
        .filter((field) => isShown(field) && field.autocomplete === '')
        .map((field) => field.labels?.[0]?.textContent ?? field.getAttribute('aria-label')),
    }
  })
  expect.soft(order, screen).toEqual({ mains: 1, headings: 1, nameless: [], controlsNothing: [], withoutToken: [] })
}

test('a visitor’s pages have one main part, one first heading, and a token for each field', async ({ openBrowser }) => {
  const page = await openBrowser()
  /** Tokens by which a password manager recognizes the fields of the form. */
  const tokens = () =>
    page
      .locator('form')
      .locator('input:not([type=checkbox]), textarea')
      .evaluateAll((fields) => fields.map((field) => field.getAttribute('autocomplete')))
  for (const path of ['/', '/terms', '/auth']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expectOrder(page, path)
  }
  await expect(page.getByLabel('Username')).toBeVisible()
  expect(await tokens()).toEqual(['username', 'current-password'])
  await openSignUp(page)
  await expectOrder(page, 'sign-up')
  expect(await tokens()).toEqual(['given-name', 'family-name', 'email', 'username', 'new-password'])
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await expectOrder(page, 'recovery')
  expect(await tokens()).toEqual(['username', 'off', 'new-password', 'new-password'])
})

test('a member’s pages have one main part, one first heading, and a token for each field', async ({
  amaraPage: page,
}) => {
  await expectOrder(page, 'conversation')
  await page.locator('#chat-info').click()
  await expect(page.getByRole('list', { name: 'Safety number' })).toBeVisible()
  await expectOrder(page, 'safety number')
  for (const path of pages) {
    await moveTo(page, path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expectOrder(page, path)
  }
  await test.step('the phone’s list and conversation have them too', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await moveTo(page, '/')
    await expect(connectionRow(page, helen)).toBeVisible()
    await expectOrder(page, 'list')
    await openConversation(page, helen)
    await expectOrder(page, 'conversation on a phone')
  })
})
