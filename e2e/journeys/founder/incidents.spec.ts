import { signIn } from '../../support/members/account.ts'
import { expectAccessible, overflow } from '../../support/screens/accessibility.ts'
import { storedEvents } from '../../support/servers/database.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara } from '../../support/members/people.ts'
import type { RunningServer } from '../../support/servers/server.ts'

const password = 'founder harbour lantern 47'
test.use({ serverEnv: { FOUNDER_PASSWORD: password, TRUST_PROXY: '1' } })

/** Fails a sign-in through a proxy that reports this client address. */
const guess = ({ origin }: RunningServer, username: string, from: string) =>
  fetch(`${origin}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, 'x-forwarded-for': from },
    body: JSON.stringify({ username, password: 'a guess' }),
  })

test('the founder sees attacks as they happen, and reads what the logs have around one', async ({
  server,
  openBrowser,
  expectComplaint,
}) => {
  expectComplaint(/401 \(Unauthorized\) .*\/api\/founder\/verify$/)
  const [page, amaraPage] = [await openBrowser(), await openBrowser()]
  await signIn(amaraPage, amara)
  const incidents = page.getByRole('table', { name: 'Security incidents' })
  const row = (type: string) => incidents.getByRole('row', { name: type })

  await test.step('all is clear at first', async () => {
    await page.goto('/founder')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await expect(
      page.getByText('All Clear - No security threats detected in the last 24 hours', { exact: true }),
    ).toBeVisible()
    await expect(page.getByRole('definition').filter({ hasText: 'LOW' })).toBeVisible()
  })

  await test.step('failed sign-ins from several addresses and stopped screenshots come with the next poll', async () => {
    for (const [attempt, from] of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.1', '203.0.113.2'].entries())
      expect((await guess(server, amara.username, from)).status, `attempt ${attempt}`).toBe(401)
    for (let times = 1; times <= 3; times++) {
      await amaraPage.keyboard.press('PrintScreen')
      await expect.poll(async () => (await storedEvents(server)).length).toBeGreaterThanOrEqual(times)
    }
    await expect(row('Coordinated attack')).toContainText('High')
    await expect(row('Coordinated attack')).toContainText('1 user, 3 IPs')
    await expect(row('Brute force attack')).toContainText('5 failed sign-ins to one account from 3 addresses')
    await expect(row('Suspicious user behavior')).toContainText('High')
    await expect(page.getByRole('definition').filter({ hasText: 'HIGH' })).toBeVisible()
    await expectAccessible(page, 'security incidents')
  })

  const dialog = page.getByRole('dialog', { name: 'Security Incident Investigation' })
  await test.step('the investigation says whom it affects, from where, and what to do', async () => {
    await row('Coordinated attack').getByRole('button').click()
    await expect(dialog.getByRole('list', { name: 'Affected users' })).toHaveText(amara.username)
    await expect(dialog.getByRole('list', { name: 'IP addresses' }).getByRole('listitem')).toHaveText([
      '203.0.113.1',
      '203.0.113.2',
      '203.0.113.3',
    ])
    await expect(dialog).toContainText('Recommended actions')
    await expectAccessible(page, 'investigation of an incident')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(row('Coordinated attack').getByRole('button')).toBeFocused()
  })

  await test.step('an incident that was looked at is acknowledged with a note, listed apart, and opened again', async () => {
    const shown = page.getByRole('radiogroup', { name: 'Show incidents' })
    await row('Brute force attack').getByRole('button').click()
    await dialog.getByLabel('Note (optional)').fill('The owner was asked.')
    await dialog.getByRole('button', { name: 'Acknowledge' }).click()
    await expect(dialog).toContainText('The owner was asked.')
    await expectAccessible(page, 'acknowledged incident')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(row('Brute force attack')).toHaveCount(0)
    await expect(page.getByRole('row').getByRole('button').and(page.locator(':focus'))).toHaveCount(1)
    await shown.getByRole('radio', { name: 'Acknowledged' }).click()
    await row('Brute force attack').getByRole('button').click()
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await expect(dialog.getByRole('button', { name: 'Acknowledge' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await shown.getByRole('radio', { name: 'Open' }).click()
    await expect(row('Brute force attack')).toBeVisible()
    await row('Coordinated attack').getByRole('button').focus()
  })

  await test.step('the related logs are read by keyboard, also on a phone', async () => {
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'View Related Audit Logs' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Related audit logs: Coordinated attack' })).toBeFocused()
    const related = page.getByRole('table', { name: 'Related audit logs: Coordinated attack' })
    await expect(related.getByRole('row', { name: 'Failed sign in' })).toHaveCount(5)
    await expect(related.getByRole('row', { name: 'Screenshot attempt' }).first()).toContainText(amara.username)
    await expect(related.getByRole('row', { name: 'Signed in' }).first()).toContainText(amara.username)
    await expectAccessible(page, 'related audit logs')
    await page.setViewportSize({ width: 360, height: 780 })
    expect(await overflow(page)).toBe(0)
    await page.getByRole('button', { name: 'Hide related audit logs' }).click()
    await expect(related).toBeHidden()
  })
})
