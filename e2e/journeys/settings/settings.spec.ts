import type { Page } from '@playwright/test'
import { expectAccessible } from '../../support/screens/accessibility.ts'
import { fillSignIn, seeDashboard, signIn, signOut, toast } from '../../support/members/account.ts'
import { openConversation, send, sees } from '../../support/members/conversation.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { amara, helen } from '../../support/members/people.ts'
import { expect, test } from '../../support/members/pair.ts'

async function openSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^User menu/ }).click()
  await page.getByRole('menuitem', { name: 'Settings', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await expect(page.getByRole('radiogroup', { name: 'Theme' })).toBeVisible()
}

const choose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).click()

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(toast(page, 'Settings saved')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeDisabled()
}

const root = (page: Page) => page.locator('html')

async function looks(page: Page, look: { theme?: string; density: string; text: string; motion: string }) {
  for (const name of ['density', 'text', 'motion'] as const)
    await expect(root(page)).toHaveAttribute(`data-${name}`, look[name])
  if (look.theme) await expect(root(page)).toHaveAttribute('data-theme', look.theme)
  else await expect(root(page)).not.toHaveAttribute('data-theme')
}

const chosen = { theme: 'dark', density: 'compact', text: 'large', motion: 'off' }
const usual = { density: 'comfortable', text: 'medium', motion: 'on' }

async function chooseLook(page: Page): Promise<void> {
  await choose(page, 'Dark')
  await choose(page, 'Large')
  await page.getByRole('switch', { name: 'Compact mode' }).check()
  await page.getByRole('switch', { name: 'Animations' }).uncheck()
}

/** Records the appearance of the page when its body begins, before the first paint. */
async function watchFirstPaint(page: Page): Promise<() => Promise<string | undefined>> {
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body) return
      observer.disconnect()
      const { theme, density, text, motion } = document.documentElement.dataset
      ;(window as { firstLook?: unknown }).firstLook = { theme, density, text, motion }
    }).observe(document, { childList: true, subtree: true })
  })
  return () => page.evaluate(() => JSON.stringify((window as { firstLook?: unknown }).firstLook))
}

test('a saved look is there before the first paint, and the same in tabs and browsers', async ({
  openBrowser,
  enterAs,
}) => {
  const page = await openBrowser({ colorScheme: 'light' })
  await enterAs(page, amara)
  const tab = await page.context().newPage()
  await tab.goto('/')
  await seeDashboard(tab)
  const elsewhere = await openBrowser({ colorScheme: 'light' })
  await signIn(elsewhere, amara)
  await looks(page, usual)

  await openSettings(page)
  const light = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await chooseLook(page)
  await looks(page, chosen)
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).not.toBe(light)
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('18px')
  await looks(tab, usual)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await looks(page, usual)

  await chooseLook(page)
  await save(page)
  await looks(tab, chosen)
  await looks(elsewhere, chosen)

  const firstLook = await watchFirstPaint(page)
  await page.reload()
  expect(JSON.parse((await firstLook()) ?? '{}')).toEqual(chosen)
  await looks(page, chosen)
  await expect(page.getByRole('radio', { name: 'Dark', exact: true })).toBeChecked()
  await expect(page.getByRole('radio', { name: 'Large', exact: true })).toBeChecked()
  await expect(page.getByRole('switch', { name: 'Compact mode' })).toBeChecked()
  await expect(page.getByRole('switch', { name: 'Animations' })).not.toBeChecked()

  await choose(page, 'System')
  await save(page)
  await looks(elsewhere, { ...chosen, theme: undefined })
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).not.toBe(light)
})

test('the look of an account leaves with it: the next one here has its own', async ({
  openBrowser,
  enterAs,
  expectComplaint,
}) => {
  // Calls that a page makes after signing in may be under way when it signs out.
  expectComplaint(/401 \(Unauthorized\) .*\/api\/(browsers\/own|push)$/)
  const page = await openBrowser({ colorScheme: 'light' })
  await enterAs(page, helen)
  await signOut(page)
  await enterAs(page, amara)
  await openSettings(page)
  await chooseLook(page)
  await save(page)
  await signOut(page)
  expect(await page.evaluate(() => localStorage.getItem('privity.appearance'))).toBeNull()
  await expect(root(page)).not.toHaveAttribute('data-theme')
  await signIn(page, helen)
  await looks(page, usual)
  await signOut(page)
  await fillSignIn(page, amara)
  await looks(page, chosen)
})

test('dates and times are written as chosen, wherever they are shown', async ({ amaraPage: page }) => {
  await send(page, helen, 'Good morning')
  await sees(page, helen, 'Good morning')
  const tab = await page.context().newPage()
  await tab.goto('/')
  await openConversation(tab, helen)
  await expect(tab.locator('time').first()).toHaveText(/^\d{1,2}:\d\d [AP]M$/)
  await expect(tab.getByText(/^Connected \d\d\/\d\d\/\d{4}$/)).toBeVisible()

  await openSettings(page)
  await page.getByLabel('Date format').selectOption('YYYY-MM-DD')
  await choose(page, '24h')
  await expect(page.getByText(/^Today is \d{4}-\d\d-\d\d\.$/)).toBeVisible()
  await save(page)
  await expect(tab.locator('time').first()).toHaveText(/^\d\d:\d\d$/)
  await expect(tab.getByText(/^Connected \d{4}-\d\d-\d\d$/)).toBeVisible()
  await moveTo(page, '/account-settings')
  await expect(page.locator('time').first()).toHaveText(/^\d{4}-\d\d-\d\d$/)
})

test('leaving with unsaved changes asks; what is saved stays; both densities are accessible', async ({
  amaraPage: page,
}) => {
  await test.step('whoever leaves with unsaved changes is asked', async () => {
    await openSettings(page)
    await choose(page, 'Dark')
    await expect(page.getByText('You have unsaved changes.')).toBeVisible()
    await page.getByRole('link', { name: 'Account Settings' }).click()
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Stay' }).click()
    await expect(page.getByRole('radio', { name: 'Dark', exact: true })).toBeChecked()
    await page.evaluate(() => history.back())
    await question.getByRole('button', { name: 'Stay' }).click()
    await expect(page).toHaveURL(/\/settings$/)
    await page.getByRole('link', { name: 'Account Settings' }).click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await expect(page.getByRole('heading', { name: 'Account Settings', level: 1 })).toBeVisible()
    await expect(root(page)).not.toHaveAttribute('data-theme')
    await page.goBack()
    await expect(page.getByRole('radio', { name: 'System', exact: true })).toBeChecked()
  })

  await test.step('a switch that is saved is still there after a reload, and its keyboard works', async () => {
    await openSettings(page)
    const names = ['Push notifications', 'Message notifications', 'Connection notifications', 'Sound']
    for (const name of names) await page.getByRole('switch', { name, exact: true }).press('Space')
    await page.getByRole('radio', { name: 'Medium' }).focus()
    // Hold the key as a person would: the group selects while the key is down.
    await page.keyboard.down('ArrowRight')
    await expect(page.getByRole('radio', { name: 'Large' })).toBeChecked()
    await page.keyboard.up('ArrowRight')
    await save(page)
    await page.reload()
    for (const name of names) await expect(page.getByRole('switch', { name, exact: true })).not.toBeChecked()
    await expect(page.getByRole('radio', { name: 'Large' })).toBeChecked()
    await expect(page.getByRole('switch', { name: 'Email notifications' })).toBeDisabled()
    await expect(page.getByText('Not available: this server sends no email.')).toBeVisible()
  })

  await test.step('what a member reads from the server is not compressed, and the page says so', async () => {
    const answer = await page.evaluate(async () => (await fetch('/api/preferences')).headers.get('content-encoding'))
    expect(answer).toBeNull()
    await expect(page.getByRole('switch', { name: 'Data compression' })).toBeDisabled()
  })

  await test.step('the settings are accessible in both densities and fit 360 pixels', async () => {
    await openSettings(page)
    for (const density of ['comfortable', 'compact']) {
      if (density === 'compact') await page.getByRole('switch', { name: 'Compact mode' }).check()
      await expect(root(page)).toHaveAttribute('data-density', density)
      await expectAccessible(page, `settings, ${density}`)
    }
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  })
})
