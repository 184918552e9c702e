import type { Page } from '@playwright/test'
import { seeDashboard } from '../../support/members/account.ts'
import { openConversation, sees, send } from '../../support/members/conversation.ts'
import { storedEvents } from '../../support/servers/database.ts'
import { menuBlocked, watched } from '../../support/members/deterrents.ts'
import { expect, test } from '../../support/members/pair.ts'
import { setPolicy } from '../../support/members/policy.ts'
import { amara, helen } from '../../support/members/people.ts'

/** Sets the member's preference, as the settings page does. */
async function prefer(page: Page, screenshotProtection: boolean): Promise<void> {
  const status = await page.evaluate(async (wanted) => {
    const body = JSON.stringify({ screenshotProtection: wanted })
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/api/preferences', { method: 'PATCH', headers, body })).status
  }, screenshotProtection)
  expect(status).toBe(200)
}

test('off means off: nothing is blocked, warned of, kept or sent, and on again at once', async ({
  openBrowser,
  server,
  enterAs,
}) => {
  const page = await openBrowser()
  const sent: string[] = []
  page.on('request', (request) => void (request.url().includes('/api/security-audit') && sent.push(request.url())))
  await enterAs(page, amara)
  await watched(page)
  await prefer(page, false)
  await expect(page.locator('html[data-no-print]')).not.toBeAttached()

  for (const key of ['F12', 'Control+Shift+I', 'PrintScreen', 'Control+c']) await page.keyboard.press(key)
  await page.evaluate("console.log('mine')")
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  const blocked = menuBlocked(page)
  await page.getByRole('heading', { name: 'Select a Connection' }).click({ button: 'right' })
  expect(await blocked).toBe(false)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Notices' }).getByRole('button')).toHaveCount(0)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { name: 'Your connection code' })).toBeVisible()
  await expect(page.getByText('This page is not printed')).toHaveCount(0)
  await page.emulateMedia({ media: null })
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('securityEvent')))).toEqual(
    [],
  )

  await page.reload()
  await seeDashboard(page)
  await page.keyboard.press('F12')
  expect(sent).toEqual([])

  // Only events after this point are stored: nothing earlier arrives late.
  await prefer(page, true)
  await watched(page)
  await page.keyboard.press('Control+p')
  await expect.poll(async () => (await storedEvents(server)).map(({ type }) => type)).toEqual(['print_attempt'])
  await expect.poll(() => sent).toHaveLength(1)
})

test('the organization decides on watermark and protection, whatever the member has set', async ({
  amaraPage: page,
  server,
}) => {
  await test.step('the watermark names the viewer, and is in nobody’s way', async () => {
    await send(page, helen, 'Under the mark')
    await sees(page, helen, 'Under the mark')
    const mark = page.locator('svg.watermark')
    await expect(mark).toBeVisible()
    await expect(mark).toContainText(/^amara\.osei · \d\d\/\d\d\/\d{4} \d{1,2}:\d\d [AP]M/)
    await expect(mark).toHaveAttribute('aria-hidden', 'true')
    expect(await page.locator('.convo-frame').ariaSnapshot()).not.toContain('amara.osei')
    const bubble = page.getByText('Under the mark')
    const meta = page.getByRole('article').filter({ hasText: 'Under the mark' }).locator('.meta')
    await expect(meta).toContainText('Sent')
    const { x, y, width, height } = (await bubble.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    // Inside the rounded corners.
    const text = { x: x + 10, y: y + 2, width: width - 20, height: height - 4 }
    const pixels = async () => ({
      bubble: await page.screenshot({ clip: text }),
      desk: await page.locator('.convo').screenshot(),
    })
    const marked = await pixels()
    await mark.evaluate((svg) => svg.setAttribute('visibility', 'hidden'))
    const unmarked = await pixels()
    await mark.evaluate((svg) => svg.removeAttribute('visibility'))
    expect(marked.bubble.equals(unmarked.bubble), 'the bubble lies before it').toBe(true)
    expect(marked.desk.equals(unmarked.desk), 'beside the bubbles it is seen').toBe(false)
    await bubble.click({ clickCount: 3 })
    expect(await page.evaluate(() => String(getSelection()).trim())).toBe('Under the mark')
  })

  await test.step('the organization may enforce it, and decides on the watermark, whatever the member has set', async () => {
    await expect(page.locator('svg.watermark')).toBeVisible()
    await prefer(page, false)
    await expect(page.locator('html[data-no-print]')).not.toBeAttached()
    await expect(page.locator('svg.watermark')).toBeVisible()

    await setPolicy(page, { screenshotProtection: true, watermark: false })
    await page.reload()
    await openConversation(page, helen)
    await watched(page)
    await expect(page.locator('svg.watermark')).toHaveCount(0)
    await page.keyboard.press('F12')
    await expect(page.getByRole('alert').getByText('Developer tools access is restricted')).toBeVisible()
    await expect.poll(async () => (await storedEvents(server)).map(({ type }) => type)).toEqual(['dev_tools_detected'])
  })
})
