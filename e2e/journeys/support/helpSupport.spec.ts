import type { Page } from '@playwright/test'
import { toast } from '../../support/members/account.ts'
import { stored } from '../../support/servers/database.ts'
import { expectAccessible } from '../../support/screens/accessibility.ts'
import { expect, test } from '../../support/members/pair.ts'

test.use({ serverEnv: { SUPPORT_EMAIL: 'help@example.org' } })

const region = (page: Page, name: string) => page.getByRole('region', { name })

async function openHelp(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^User menu/ }).click()
  await page.getByRole('menuitem', { name: 'Help & Support' }).click()
  await expect(page.getByRole('heading', { name: 'Help & Support', level: 1 })).toBeVisible()
}

test('a member finds answers, asks for help, and sees contact and status', async ({
  amaraPage: page,
  server,
  expectComplaint,
}) => {
  await test.step('questions are searched in question and answer, and opened', async () => {
    await openHelp(page)
    await expect(page).toHaveURL(/\/help-support$/)
    const faq = region(page, 'Frequently asked questions')
    const questions = faq.locator('summary')
    const all = await questions.count()
    await faq.getByLabel('Search questions').fill('100mb')
    await expect(questions).toHaveText(['How large can a file be?'])
    await questions.click()
    await expect(faq.getByText('Up to 100MB per file.')).toBeVisible()
    await faq.getByLabel('Search questions').fill('UP TO 3 DOWNLOADS')
    await expect(questions).toHaveText(['Who can download a file I share?'])
    await faq.getByLabel('Search questions').fill('zebra')
    await expect(
      faq.getByText('No matching questions found. Try different keywords or contact support.', { exact: true }),
    ).toBeVisible()
    await expect(questions).toHaveCount(0)
    await faq.getByLabel('Search questions').fill('')
    await expect(questions).toHaveCount(all)
  })

  await test.step('a request is stored with a reference that can be copied, and is listed after a reload', async () => {
    await expect(region(page, 'Your requests').getByText('No requests yet')).toBeVisible()
    const form = region(page, 'Contact support')
    await expect(form.getByText('are not end-to-end encrypted')).toBeVisible()
    const submit = form.getByRole('button', { name: 'Submit request' })
    await expect(submit).toBeDisabled()
    await form.getByLabel('Subject').fill('Code does not work')
    await expect(submit).toBeDisabled()
    await form.getByLabel('Message').fill('   ')
    await expect(submit).toBeDisabled()
    await form.getByLabel('Message').fill('My colleague types it, and nothing happens.')
    await expect(submit).toBeEnabled()
    await expect(form.getByLabel('Priority')).toHaveValue('normal')
    await form.getByLabel('Category').selectOption('Connections and codes')
    await submit.click()

    await expect(toast(page, 'Support ticket submitted')).toBeVisible()
    await expect(toast(page, 'We will reply within 24 hours.')).toBeVisible()
    const reference = String(await form.getByText(/^PR-\w{4}-\w{4}$/).textContent())
    await form.getByRole('button', { name: `Copy reference ${reference}` }).click()
    await expect(toast(page, 'Copied!')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(reference)
    await expect(form.getByLabel('Subject')).toHaveValue('')
    await expect(submit).toBeDisabled()

    await page.reload()
    const own = region(page, 'Your requests').getByRole('listitem')
    await expect(own).toHaveCount(1)
    await expect(own).toContainText('Code does not work')
    await expect(own).toContainText(reference)
    await expect(own).toContainText('Open')
    const rows = await stored<{ reference: string; category: string }>(
      server,
      'select reference, category from support_requests',
    )
    expect(rows).toEqual([{ reference, category: 'connections' }])
  })

  await test.step('what fails keeps what was typed, and sent again it is stored once', async () => {
    expectComplaint(/ERR_FAILED|status of 400/)
    const form = region(page, 'Contact support')
    const subject = form.getByLabel('Subject')
    await subject.fill('Lost answer')
    await form.getByLabel('Message').fill('The answer to this will be lost.')

    // The server stores the request, and its response is lost.
    await page.route('**/api/support-requests', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await form.getByRole('button', { name: 'Submit request' }).click()
    await expect(form.getByRole('alert').getByText('Support request not submitted')).toBeVisible()
    await expect(subject).toHaveValue('Lost answer')
    await page.unroute('**/api/support-requests')
    await form.getByRole('button', { name: 'Submit request' }).click()
    await expect(toast(page, 'Support ticket submitted')).toBeVisible()
    expect(await stored(server, 'select id from support_requests'), 'stored once, beside the first').toHaveLength(2)

    // Bypass the browser's own limit, so that the field must show the error.
    await subject.evaluate((input) => input.removeAttribute('maxlength'))
    await subject.fill('x'.repeat(121))
    await form.getByLabel('Message').fill('Too long a subject.')
    await form.getByRole('button', { name: 'Submit request' }).click()
    await expect(form.getByText(/^Enter the subject on one line of up to 120 characters,/)).toBeVisible()
    await expect(subject).toHaveAttribute('aria-invalid', 'true')
    await expect(subject).toHaveValue('x'.repeat(121))
  })

  await test.step('contact, documentation and status say what is so', async () => {
    expectComplaint(/ERR_INTERNET_DISCONNECTED/)
    await page.goto('/help-support')
    const contact = region(page, 'Contact')
    await expect(contact.getByRole('link', { name: 'help@example.org' })).toHaveAttribute(
      'href',
      'mailto:help@example.org',
    )
    await expect(contact.getByText('9 AM to 6 PM EST')).toBeVisible()
    await expect(contact.getByText('There is no live chat in this version')).toBeVisible()

    const status = region(page, 'System status')
    await expect(status.getByText(/^Working(, with a warning)?$/)).toBeVisible()
    await expect(status.getByText('Connected', { exact: true })).toBeVisible()
    await expect(status.getByText('v2.1.0')).toBeVisible()
    await page.context().setOffline(true)
    await expect(status.getByText('Connected', { exact: true })).toBeHidden()
    await status.getByRole('button', { name: 'Check now' }).click()
    await expect(status.getByText('Cannot be reached')).toBeVisible()
    await page.context().setOffline(false)
    await expect(status.getByText('Connected', { exact: true })).toBeVisible({ timeout: 20_000 })
    await status.getByRole('button', { name: 'Check now' }).click()
    await expect(status.getByText(/^Working(, with a warning)?$/)).toBeVisible()

    const links = region(page, 'Documentation').getByRole('link')
    const addresses = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
    expect(addresses.length).toBeGreaterThanOrEqual(3)
    for (const address of addresses) {
      const answer = await page.goto(address)
      expect(answer?.status(), address).toBe(200)
      if (address.startsWith('/api/')) continue
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Page Not Found' }), address).toBeHidden()
    }
  })

  await test.step('the page is accessible and fits', async () => {
    await page.goto('/help-support')
    await expectAccessible(page, 'help')
    await region(page, 'Frequently asked questions').locator('summary').first().click()
    await region(page, 'Contact support').getByLabel('Subject').fill('Subject')
    await region(page, 'Contact support').getByLabel('Message').fill('Message')
    await region(page, 'Contact support').getByRole('button', { name: 'Submit request' }).click()
    await expect(region(page, 'Your requests').getByRole('listitem')).toHaveCount(3)
    await expectAccessible(page, 'help with requests')
    await region(page, 'Frequently asked questions').getByLabel('Search questions').fill('zebra')
    await expect(page.getByText('No matching questions found.')).toBeVisible()
    await expectAccessible(page, 'help without a match')
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    )
  })
})
