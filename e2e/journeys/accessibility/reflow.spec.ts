import type { Page } from '@playwright/test'
import { composer, send } from '../../support/members/conversation.ts'
import { memberPages } from '../../support/members/pages.ts'
import { expect, test } from '../../support/members/pair.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { setPreferences } from '../../support/members/notifications.ts'
import { amara, helen } from '../../support/members/people.ts'
import { expectReflow, zoomed as viewport } from '../../support/screens/reflow.ts'

const documents = ['/terms', '/privacy', '/threat-model']
const pages = [...memberPages, '/nowhere']

async function show(page: Page, path: string): Promise<void> {
  await moveTo(page, path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
}

test('at 400 % nothing needs to be scrolled sideways, in either language', async ({ amaraPage: page, openBrowser }) => {
  await send(page, helen, `${'w'.repeat(200)} Good morning`)
  await page.setViewportSize(viewport)
  const visitor = await openBrowser({ viewport })
  for (const language of ['en', 'de']) {
    const status = await page.evaluate(async (wanted) => {
      const init = { method: 'PATCH', headers: { 'content-type': 'application/json' } }
      return (await fetch('/api/preferences', { ...init, body: JSON.stringify({ language: wanted }) })).status
    }, language)
    expect(status).toBe(200)
    // Via another page: a reload would keep the open conversation.
    await page.goto('/about')
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    const row = page.getByRole('button', { name: new RegExp(helen.lastName) }).first()
    await expect(row).toBeVisible()
    await expectReflow(page, `dashboard ${language}`)
    await row.click()
    const conversation = page.getByRole('log')
    await expect(conversation).toContainText('Good morning')
    await expectReflow(page, `conversation ${language}`)
    const { height = 0 } = (await conversation.boundingBox()) ?? {}
    // At least four lines of text; the rest is reached by scrolling.
    expect.soft(height, `conversation ${language}`).toBeGreaterThan(120)
    if (language === 'en') await expect(composer(page, helen)).toBeInViewport()
    await page.locator('#chat-info').click()
    await expect(page.getByRole('list', { name: /^(Safety number|Sicherheitsnummer)$/ })).toBeVisible()
    await expectReflow(page, `safety number ${language}`)
    for (const path of [...pages, ...documents]) {
      await show(page, path)
      await expectReflow(page, `${path} ${language}`)
    }
    for (const path of ['/', '/auth', ...documents]) {
      // The landing page is shown before the application hydrates it, which a navigation must not interrupt.
      if (path === '/' || path === '/auth') await visitor.goto(`${path}?language=${language}`)
      await show(visitor, path)
      await expectReflow(visitor, `${path} ${language}, visitor`)
    }
  }
})

test('nor for a member who is no administrator, or has chosen large letters on a phone', async ({
  helenPage: page,
}) => {
  for (const [size, fontSize] of [
    [viewport, 'medium'],
    [{ width: 360, height: 740 }, 'large'],
  ] as const) {
    await setPreferences(page, { language: 'de', fontSize })
    await page.setViewportSize(size)
    await page.goto('/about')
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('data-text', fontSize)
    await expect(page.getByRole('button', { name: new RegExp(amara.lastName) }).first()).toBeVisible()
    await expectReflow(page, `dashboard, ${fontSize} letters`)
    for (const path of pages) {
      await show(page, path)
      await expectReflow(page, `${path}, ${fontSize} letters`)
    }
  }
})
