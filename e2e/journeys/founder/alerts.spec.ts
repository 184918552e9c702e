import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Download, Page } from '@playwright/test'
import { expectAccessible, overflow } from '../../support/screens/accessibility.ts'
import { expect, test } from '../../support/servers/test.ts'

const password = 'a founder of the journeys'
test.use({ serverEnv: { FOUNDER_PASSWORD: password } })

const verifier = fileURLToPath(new URL('../../../packages/server/src/verifyAudit.ts', import.meta.url))

/** Exit code and output of the offline verifier for a file. */
const verified = (path: string) =>
  new Promise<string>((resolve) => {
    execFile(process.execPath, [verifier, path], (_error, out) => resolve(out))
  })

async function downloaded(page: Page, button: string): Promise<{ download: Download; text: string; path: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ])
  const path = await download.path()
  return { download, path, text: await readFile(path, 'utf8') }
}

test('the founder sets up alerts, tests them, and takes the logs away as CSV and JSON', async ({
  openBrowser,
  server,
  expectComplaint,
}) => {
  expectComplaint(/401 \(Unauthorized\) .*\/api\/founder\/verify$/)
  const page = await openBrowser({ viewport: { width: 1280, height: 900 } })
  const alerts = page.getByRole('region', { name: 'Alert Settings' })
  const exports = page.getByRole('region', { name: 'Audit Log Export' })
  const toast = (title: string) => page.getByText(title, { exact: true })

  await test.step('signing in', async () => {
    await page.goto('/founder')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(alerts.getByRole('button', { name: 'Save settings' })).toBeVisible()
  })

  await test.step('a channel that is off has no field to type in, and the screen says what carries each', async () => {
    await expect(alerts.getByLabel('Email address')).toBeDisabled()
    await expect(alerts.getByLabel('Phone number, E.164')).toBeDisabled()
    await expect(alerts.getByText('E.164 format, e.g., +1234567890')).toBeVisible()
    await expect(alerts.getByText(/No email service is set up/)).toBeVisible()
    await expect(alerts.getByText(/No text message service is set up/)).toBeVisible()
    await expect(alerts.getByText(/No alerts yet/)).toBeVisible()
  })

  await test.step('what is not valid is not saved', async () => {
    await alerts.getByRole('switch', { name: 'Email alerts' }).check()
    const save = alerts.getByRole('button', { name: 'Save settings' })
    await save.click()
    await expect(alerts.getByText('Email address is required when email notifications are enabled.')).toBeVisible()
    await expect(alerts.getByLabel('Email address')).toBeFocused()
    await page.keyboard.type('nobody')
    await save.click()
    await expect(alerts.getByText('Please enter a valid email address.')).toBeVisible()
    await alerts.getByLabel('Email address').fill('security@example.com')
    await alerts.getByRole('switch', { name: 'SMS alerts' }).check()
    await save.click()
    await expect(alerts.getByText('Phone number is required when SMS notifications are enabled.')).toBeVisible()
    await page.keyboard.type('0123')
    await save.click()
    await expect(alerts.getByText('Please enter a valid phone number (E.164 format, e.g., +1234567890).')).toBeVisible()
  })

  await test.step('what is valid is saved, and kept', async () => {
    await alerts.getByRole('switch', { name: 'SMS alerts' }).uncheck()
    await alerts.getByRole('checkbox', { name: 'Flagged message' }).uncheck()
    await alerts.getByRole('button', { name: 'Save settings' }).click()
    await expect(toast('Settings Updated')).toBeVisible()
    await page.reload()
    await expect(alerts.getByLabel('Email address')).toHaveValue('security@example.com')
    await expect(alerts.getByRole('switch', { name: 'Email alerts' })).toBeChecked()
    await expect(alerts.getByLabel('Phone number, E.164')).toHaveValue('')
    await expect(alerts.getByRole('checkbox', { name: 'Flagged message' })).not.toBeChecked()
    await expect(alerts.getByRole('checkbox', { name: 'Mass signup' })).toBeChecked()
  })

  await test.step('a test alert needs a type, and is in the log', async () => {
    const type = alerts.getByLabel('Test alert type')
    await expect(type).toHaveValue('mass_signup')
    await type.selectOption('')
    await alerts.getByRole('button', { name: 'Send test alert' }).click()
    await expect(alerts.getByText('Please select an alert type to test.')).toBeVisible()
    await type.selectOption('failed_logins')
    await alerts.getByRole('button', { name: 'Send test alert' }).click()
    await expect(toast('Test Alert Sent')).toBeVisible()
    expect(server.log()).toContain('ALERT: Test: Failed logins')
    const last = alerts.getByRole('listitem').first()
    await expect(last).toContainText('Failed logins')
    await expect(last).toContainText("Email: In the server's log")
  })

  await test.step('failures are said', async () => {
    expectComplaint(/(500|Failed to load).*\/api\/founder\//)
    // A refusal without a message: the console shows its own text.
    const json = { error: '', code: 'INTERNAL', message: '' }
    const refuse = (path: string) => page.route(path, (route) => route.fulfill({ status: 500, json }), { times: 1 })
    await refuse('**/api/founder/test-alert')
    await alerts.getByRole('button', { name: 'Send test alert' }).click()
    await expect(toast('Test Failed')).toBeVisible()
    await expect(toast('Failed to send test alert')).toBeVisible()
    await refuse('**/api/founder/alert-settings')
    await alerts.getByRole('button', { name: 'Save settings' }).click()
    await expect(toast('Update Failed')).toBeVisible()
    await expect(toast('Failed to update alert settings')).toBeVisible()
    await refuse('**/api/founder/audit-logs/export**')
    await exports.getByRole('button', { name: 'Download CSV' }).click()
    await expect(toast('Export Failed')).toBeVisible()
    await expect(toast('Failed to export audit logs')).toBeVisible()
  })

  await test.step('the logs of the last 7 days as CSV and as JSON, each with its proof', async () => {
    await expect(exports.getByText(/^Export logs from \d\d\/\d\d\/\d{4} to \d\d\/\d\d\/\d{4}$/)).toBeVisible()
    await expect(exports.getByText('Maximum 10,000 most recent logs')).toBeVisible()
    const csv = await downloaded(page, 'Download CSV')
    await expect(toast('Export Successful')).toBeVisible()
    expect(csv.download.suggestedFilename()).toMatch(/^audit_logs_.*\.csv$/)
    expect(csv.text).toContain('alert_settings_changed')
    expect(await verified(csv.path)).toMatch(/^Whole: \d+ rows/)
    const json = await downloaded(page, 'Download JSON')
    expect(json.download.suggestedFilename()).toMatch(/^audit_logs_.*\.json$/)
    expect((JSON.parse(json.text) as { logs: { action: string }[] }).logs[0]?.action).toBe('platform_logs_exported')
    expect(await verified(json.path)).toMatch(/^Whole: \d+ rows/)
  })

  await test.step('without both dates, or with the end before the start, there is nothing to download', async () => {
    await exports.getByLabel('End date').fill('2020-01-01')
    await expect(exports.getByText('The end date is before the start date.')).toBeVisible()
    await expect(exports.getByRole('button', { name: 'Download CSV' })).toBeDisabled()
    await exports.getByLabel('End date').fill('')
    await expect(exports.getByText('Select date range to export')).toBeVisible()
    await expect(exports.getByRole('button', { name: 'Download JSON' })).toBeDisabled()
  })

  await test.step('on a phone, in both themes', async () => {
    await expectAccessible(page, 'alerts and export')
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await overflow(page)).toBe(0)
    await expectAccessible(page, 'alerts and export on a phone')
  })
})
