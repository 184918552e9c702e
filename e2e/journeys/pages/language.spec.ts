import type { Page } from '@playwright/test'
import { expectNothingFound, standard } from '../../support/screens/axe.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { amara } from '../../support/members/people.ts'
import { expectReflow, zoomed } from '../../support/screens/reflow.ts'
import { expect, test } from '../../support/servers/test.ts'
import { test as unconnected } from '../../support/servers/unconnected.ts'

const expectAccessible = (page: Page, screen: string) => expectNothingFound(page, standard, screen)

test('a visitor switches the language, and it stays', async ({ openBrowser }) => {
  const page = await openBrowser()
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Language' }).getByRole('link', { name: 'Deutsch' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Nur zwischen Ihnen beiden.' })).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.reload()
  await expect(page.getByRole('link', { name: 'Kostenlos registrieren' })).toBeVisible()
  await expect(page.locator('body')).not.toContainText(/Strictly|Sign Up|Get Started|messages|Privacy|Terms/)
  await expectAccessible(page, 'landing in German')
  await page.goto('/auth')
  await expect(page.getByRole('heading', { name: 'Anmelden' })).toBeVisible()
  await expect(page.locator('body')).not.toContainText(/Sign in|Password|Forgot|Create an account/)
  await expectAccessible(page, 'sign-in in German')
  await page.getByRole('link', { name: 'English' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test.describe('a German browser', () => {
  test('is answered in German, refusals too, and the account made in it stays German', async ({
    openBrowser,
    expectComplaint,
  }) => {
    expectComplaint(/401 \(Unauthorized\) .*\/api\/login/)
    const page = await openBrowser({ locale: 'de-DE' })
    await page.goto('/auth')
    await page.getByLabel('Benutzername').fill('niemand')
    await page.getByLabel('Passwort', { exact: true }).fill('falsches Passwort 12')
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await expect(page.getByText('Benutzername oder Passwort ist falsch.').first()).toBeVisible()

    await page.getByRole('button', { name: 'Konto anlegen' }).click()
    await page.getByLabel('Vorname').fill(amara.firstName)
    await page.getByLabel('Nachname').fill(amara.lastName)
    await page.getByLabel('E-Mail').fill(amara.email)
    await page.getByLabel('Benutzername').fill(amara.username)
    await page.getByLabel('Passwort', { exact: true }).fill(amara.password)
    await page.getByRole('button', { name: 'Konto anlegen' }).click()
    await expect(page.getByRole('heading', { name: 'Konto-Wiederherstellungsschlüssel sichern' })).toBeVisible()
    const usual = page.viewportSize()
    await page.setViewportSize(zoomed)
    await expectReflow(page, 'recovery key in German')
    if (usual) await page.setViewportSize(usual)
    const groups = page.getByRole('list', { name: 'Konto-Wiederherstellungsschlüssel' }).getByRole('listitem')
    const third = (await groups.nth(2).textContent()) ?? ''
    await page.getByRole('button', { name: 'Ich habe ihn gesichert' }).click()
    await page.getByLabel('Gruppe 3 Ihres Konto-Wiederherstellungsschlüssels').fill(third)
    await page.getByRole('button', { name: 'Weiter' }).click()
    await expect(page.getByRole('heading', { name: 'Ihr Verbindungscode' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Ihr Verbindungscode' })).toBeVisible()
    await expect(page.locator('main, .side').first()).not.toContainText(/Connect|Active|Copy|Share|Approve/)
    await expectAccessible(page, 'dashboard in German')
    await moveTo(page, '/settings')
    await expect(page.getByLabel('Datumsformat')).toHaveValue('DD/MM/YYYY')
    await expect(page.getByRole('radio', { name: '24 Std.' })).toBeChecked()
  })
})

unconnected(
  'a member changes the language in the settings, and it follows them into another browser',
  async ({ openBrowser, enterAs }) => {
    const page = await openBrowser()
    await enterAs(page, amara)
    await moveTo(page, '/settings')
    await page.getByRole('radio', { name: 'Deutsch' }).click()
    await page.getByRole('button', { name: /^Save/ }).click()
    await expect(page.getByText('Einstellungen gespeichert')).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Konto' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('navigation', { name: 'Konto' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')

    await expect(page.getByRole('status').getByText('Use English?')).toBeHidden()

    const other = await openBrowser()
    await other.goto('/auth')
    await other.getByLabel('Username').fill(amara.username)
    await other.getByLabel('Password', { exact: true }).fill(amara.password)
    await other.getByRole('button', { name: 'Sign In' }).click()
    await expect(other.getByRole('heading', { name: 'Ihr Verbindungscode' })).toBeVisible()
  },
)

unconnected(
  'a German browser is asked once whether an English account is to be German',
  async ({ openBrowser, enterAs }) => {
    const page = await openBrowser({ locale: 'de-DE' })
    await enterAs(page, amara)
    const question = page.getByRole('status').filter({ hasText: 'Deutsch verwenden? / Use German?' })
    await expectAccessible(page, 'the question for the language')
    await question.getByRole('button', { name: 'Deutsch' }).click()
    await expect(page.getByRole('heading', { name: 'Ihr Verbindungscode' })).toBeVisible()
    await moveTo(page, '/settings')
    await page.getByRole('radio', { name: 'English' }).click()
    await page.getByRole('button', { name: 'Änderungen speichern' }).click()
    await expect(page.getByText('Settings saved')).toBeVisible()
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Your connection code' })).toBeVisible()
    await expect(question).toBeHidden()
  },
)
