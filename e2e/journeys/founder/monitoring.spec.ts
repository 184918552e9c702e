import type { Page } from '@playwright/test'
import { expectAccessible, overflow } from '../../support/screens/accessibility.ts'
import { openConversation, send } from '../../support/members/conversation.ts'
import { amara, helen } from '../../support/members/people.ts'
import { expect, test } from '../../support/servers/test.ts'

const password = 'a founder of the journeys'
test.use({ serverEnv: { FOUNDER_PASSWORD: password }, prepared: 'connected' })

const tile = (page: Page, label: string) =>
  page.locator('.tile').filter({ hasText: label }).getByRole('definition').first()

/** The pixels of the canvas, as a data URL, to compare how it was painted. */
const painted = (page: Page) =>
  page.locator('.rate-plot canvas').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())

test('the founder watches members send, minute by minute, and is told when polls fail', async ({
  openBrowser,
  enterAs,
  expectComplaint,
}) => {
  expectComplaint(/401 \(Unauthorized\) .*\/api\/founder\/verify$/)
  expectComplaint(/\/api\/founder\/realtime-stats/)
  expectComplaint(/CallError|Failed to fetch|could not be reached/)
  const founder = await openBrowser({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' })
  const section = founder.getByRole('region', { name: 'Real-time Monitoring' })
  const chart = section.getByRole('slider', { name: 'Messages per minute, last hour' })

  await test.step('the tiles move as a member sends', async () => {
    await founder.goto('/founder')
    await founder.getByLabel('Password', { exact: true }).fill(password)
    await founder.getByRole('button', { name: 'Sign In' }).click()
    await expect(section.getByText(/^System Health: (GOOD|WARNING)$/)).toBeVisible()
    const before = Number(await tile(founder, 'Messages (24h)').textContent())
    const member = await openBrowser()
    await enterAs(member, amara)
    await openConversation(member, helen)
    await send(member, helen, 'counted')
    await expect(tile(founder, 'Messages (24h)')).toHaveText(String(before + 1))
    await expect(tile(founder, 'Active Users (15m)')).toHaveText(/^[1-9]/)
    await expect(section.getByText(/^Updated \d+ s ago$/)).toBeVisible()
    await member.close()
  })

  await test.step('arrow keys move along the minutes, and each says its numbers', async () => {
    await chart.focus()
    await founder.keyboard.press('End')
    await expect(chart).toHaveAttribute('aria-valuenow', '59')
    await founder.keyboard.press('ArrowLeft')
    await expect(chart).toHaveAttribute('aria-valuenow', '58')
    await expect(chart).toHaveAttribute('aria-valuetext', /^\d\d:\d\d: \d+ messages?, 0 flagged$/)
    await founder.keyboard.press('Home')
    await expect(chart).toHaveAttribute('aria-valuenow', '0')
  })

  await test.step('accessible in both themes, and drawn anew in the colours of the other', async () => {
    await founder.emulateMedia({ colorScheme: 'light' })
    const light = await painted(founder)
    await expectAccessible(founder, 'monitoring')
    await expect.poll(() => painted(founder)).not.toBe(light)
    await founder.setViewportSize({ width: 360, height: 800 })
    await expect.poll(() => overflow(founder)).toBeLessThanOrEqual(0)
    await founder.setViewportSize({ width: 1280, height: 900 })
  })

  await test.step('the same as a table', async () => {
    await section.getByRole('button', { name: 'Show as table' }).click()
    const table = section.getByRole('table', { name: 'Messages per minute' })
    await expect(table.getByRole('row')).toHaveCount(61)
    await expectAccessible(founder, 'messages per minute as a table')
    await section.getByRole('button', { name: 'Show as chart' }).click()
    await expect(chart).toBeVisible()
  })

  await test.step('polls that fail leave the numbers and say so in one line, until one succeeds', async () => {
    await founder.route('**/api/founder/realtime-stats', (route) => route.abort())
    await expect(section.getByText(/these are the last ones known/)).toBeVisible()
    await expect(section.getByText('System Health: UNKNOWN')).toBeVisible()
    await expect(section.getByText(/^Updated ([6-9]|\d\d) s ago$/)).toBeVisible()
    await expect(tile(founder, 'Messages (24h)')).toHaveText(/^\d+$/)
    await expect(founder.locator('.toast')).toHaveCount(0)
    await founder.unroute('**/api/founder/realtime-stats')
    await section.getByRole('button', { name: 'Refresh' }).click()
    await expect(section.getByText(/these are the last ones known/)).toHaveCount(0)
    await expect(section.getByText('System Health: UNKNOWN')).toHaveCount(0)
  })
})
