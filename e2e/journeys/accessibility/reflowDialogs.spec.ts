import type { Locator, Page } from '@playwright/test'
import { send } from '../../support/members/conversation.ts'
import { requestAccess, upload } from '../../support/files/files.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { setPreferences } from '../../support/members/notifications.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, fullName, helen } from '../../support/members/people.ts'
import { brokenWords, expectReflow, outOfReach, zoomed } from '../../support/screens/reflow.ts'
import { codeFor } from '../../support/members/secondFactor.ts'

/** German names of what the journey presses; a part of the name suffices. */
const german = {
  Add: 'Hinzufügen',
  'Audit Logs': 'Audit-Protokoll',
  'Back to connections': 'Zurück zu den Verbindungen',
  Block: 'Blockieren',
  'Code from your authenticator app': 'Code aus Ihrer Authenticator-App',
  Continue: 'Weiter',
  'Create invitation': 'Einladung erstellen',
  'Data downloads': 'Datendownloads',
  Deactivate: 'deaktivieren',
  Delete: 'löschen',
  'Delete account': 'Konto löschen',
  'Domain to allow': 'Domain erlauben',
  'Edit name and type': 'Bearbeiten: Name und Art',
  Export: 'Exportieren',
  'Generate new code': 'Neuen Code erzeugen',
  'I have saved it': 'Ich habe ihn gesichert',
  Info: 'Info',
  'Key for your authenticator app': 'Schlüssel für Ihre Authenticator-App',
  'More about': 'Mehr zu',
  'New key': 'Neuer Schlüssel',
  Notifications: 'Benachrichtigungen',
  'Organization Overview': 'Überblick',
  Password: 'Passwort',
  Person: 'Person',
  'Backup codes': 'Backup-Codes',
  'Remove connection': 'Verbindung entfernen',
  'Message options': 'Nachrichtenoptionen',
  'Report message': 'Nachricht melden',
  'Require two-factor authentication': 'Zwei-Faktor-Authentifizierung verlangen',
  Review: 'Prüfen',
  Revoke: 'widerrufen',
  'Scan a QR code': 'QR-Code scannen',
  'Safety number': 'Sicherheitsnummer',
  'Switch on': 'Einschalten',
  'Two-factor authentication': 'Zwei-Faktor-Authentifizierung',
  'Upload options': 'Optionen für das Hochladen',
  'User menu': 'Benutzermenü',
} as const
type Name = keyof typeof german

const dialogOf = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))

const expectSoon = expect.configure({ soft: true })

/** Expects every control inside to fit the width and to be reachable by vertical scrolling. */
async function expectWithin(page: Page, opened: Locator, what: string): Promise<void> {
  await expect(opened).toBeVisible()
  await expectReflow(page, what)
  // Radix adds hidden inputs beside its radios in a form, for the form's values only.
  const controls = opened.locator('button, input:not([aria-hidden]), textarea, select, a, [role^=menuitem]')
  // Poll, because it may still be moving into place.
  await expectSoon.poll(() => outOfReach(controls), what).toEqual([])
  expect.soft(await brokenWords(opened.locator('h2')), what).toEqual([])
}

async function check(page: Page, what: string, open: () => Promise<unknown>): Promise<void> {
  await open()
  await expectWithin(page, dialogOf(page), what)
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toHaveCount(0)
}

for (const language of ['en', 'de'] as const) {
  const say = (name: Name) => (language === 'de' ? german[name] : name)
  const press = (page: Page, name: Name) =>
    page
      .getByRole('button', { name: say(name) })
      .first()
      .click()

  async function zoom(page: Page): Promise<void> {
    await setPreferences(page, { language })
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await page.setViewportSize(zoomed)
  }

  test(`at 400 % each menu and dialog fits the width and can be reached whole: ${language}`, async ({
    pair: { amaraPage: page, helenPage },
  }) => {
    test.slow()
    const dialog = dialogOf(page)
    await send(helenPage, amara, 'Good morning')
    await upload(page, { name: 'a very long name of minutes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
    await requestAccess(helenPage, amara, 'a very long name of minutes.txt')
    await zoom(page)

    await test.step('the conversation', async () => {
      await page.getByRole('log').getByText('Good morning').click()
      await press(page, 'Message options')
      await check(page, 'report', () => page.getByRole('menuitem', { name: say('Report message') }).click())
      await press(page, 'Upload options')
      await expectWithin(page, page.getByRole('menu'), 'upload options')
      await page.keyboard.press('Escape')
      await press(page, 'Info')
      const safetyNumber = page.getByRole('list', { name: say('Safety number') })
      await check(page, 'safety number', () => expect(safetyNumber).toBeVisible())
      await press(page, 'Back to connections')
      await check(page, 'requests', () => press(page, 'Review'))
      await press(page, 'User menu')
      await expectWithin(page, page.getByRole('menu'), 'user menu')
      await page.keyboard.press('Escape')
      await check(page, 'notifications', () => press(page, 'Notifications'))
    })

    await test.step('connections', async () => {
      await moveTo(page, '/connection-management')
      await check(page, 'new code', () => press(page, 'Generate new code'))
      await check(page, 'scanning', () => press(page, 'Scan a QR code'))
      for (const item of ['Remove connection', 'Block'] as const) {
        await press(page, 'More about')
        await expectWithin(page, page.getByRole('menu'), 'menu of a connection')
        await check(page, item, () => page.getByRole('menuitem', { name: say(item) }).click())
      }
    })

    await test.step('users', async () => {
      await moveTo(page, '/admin')
      const row = page.getByRole('row', { name: fullName(helen) })
      await check(page, 'role', () => row.getByRole('combobox').selectOption({ index: 1 }))
      for (const change of ['Deactivate', 'Delete'] as const)
        await check(page, change, () => row.getByRole('button', { name: say(change) }).click())
    })

    await test.step('the audit log', async () => {
      await page.getByRole('tab', { name: say('Audit Logs') }).click()
      await page.getByRole('combobox', { name: say('Person') }).fill(helen.firstName)
      await expect(page.getByRole('option', { name: fullName(helen) })).toBeVisible()
      expect.soft(await outOfReach(page.getByRole('option')), 'people found').toEqual([])
      await expectReflow(page, 'people found')
      await page.keyboard.press('Escape')
      await press(page, 'Export')
      await expectWithin(page, page.getByRole('menu'), 'forms of the export')
      await page.keyboard.press('Escape')
    })

    await test.step('the organization', async () => {
      await page.getByRole('tab', { name: say('Organization Overview') }).click()
      await check(page, 'name and type', () => press(page, 'Edit name and type'))
      const required = page.getByRole('switch', { name: say('Require two-factor authentication') })
      await check(page, 'two-factor', () => required.click())
      await page.getByLabel(say('Domain to allow')).fill('elsewhere.example')
      await check(page, 'domain', () => press(page, 'Add'))
      await check(page, 'invitation', () => press(page, 'Create invitation'))
      await check(page, 'revoking', () => press(page, 'Revoke'))
    })

    await test.step('the account', async () => {
      await moveTo(page, '/account-settings')
      const row = page.locator('.set-row').filter({ has: page.getByRole('button', { name: say('New key') }) })
      await expect(row).toBeVisible()
      expect.soft(await brokenWords(row.locator('b'))).toEqual([])
      await check(page, 'deletion', () => press(page, 'Delete account'))
      await press(page, 'New key')
      await expectWithin(page, dialog, 'password for a new key')
      await dialog.getByLabel(say('Password'), { exact: true }).fill(amara.password)
      await dialog.getByRole('button', { name: say('Continue') }).click()
      await check(page, 'recovery key', () =>
        expect(dialog.getByRole('button', { name: say('I have saved it') })).toBeVisible(),
      )
    })

    await test.step('privacy, and the second factor', async () => {
      await moveTo(page, '/privacy-security')
      await check(page, 'data downloads', () => page.getByRole('switch', { name: say('Data downloads') }).click())
      await page.getByRole('switch', { name: say('Two-factor authentication') }).click()
      await expectWithin(page, dialog, 'password for a second factor')
      await dialog.getByLabel(say('Password'), { exact: true }).fill(amara.password)
      await dialog.getByRole('button', { name: say('Continue') }).click()
      const key = dialog.getByRole('group', { name: say('Key for your authenticator app') })
      await expect(key).toBeVisible()
      await expectWithin(page, dialog, 'QR code')
      await dialog.getByLabel(say('Code from your authenticator app')).fill(codeFor((await key.textContent()) ?? ''))
      await dialog.getByRole('button', { name: say('Switch on') }).click()
      await expect(page.getByRole('list', { name: say('Backup codes') })).toBeVisible()
      await expectWithin(page, dialog, 'recovery codes')
    })
  })
}
