import type { Page } from '@playwright/test'
import { upload } from '../../support/files/files.ts'
import { writePdf } from '../../support/files/pdf.ts'
import { expect, test } from '../../support/members/pair.ts'
import { helen } from '../../support/members/people.ts'

const pdf = { name: 'statement.pdf', mimeType: 'application/pdf', buffer: writePdf('Signed') }
const stillLoading = 'Still loading: the server has not answered yet.'

/** Leaves requests for this file waiting. Returns what lets them through. */
async function leaveWaiting(page: Page, file: string) {
  const gate = Promise.withResolvers<void>()
  await page.route(file, async (route) => {
    await gate.promise
    await route.fallback()
  })
  return async () => {
    gate.resolve()
    await page.unroute(file)
  }
}

test('a menu, an upload and a PDF whose script is never answered say so and can be left', async ({
  openBrowser,
  enterAs,
}) => {
  const page = await openBrowser()
  await page.clock.install()
  const answerMenu = await leaveWaiting(page, '**/assets/UserMenu-*.js')
  const answerView = await leaveWaiting(page, '**/assets/PdfView-*.js')
  const notice = page.locator('.toast-region').getByRole('status')
  await enterAs(page, helen)
  await page.getByRole('button', { name: /Amara/ }).first().click()

  await test.step('a menu is not busy any more, and opens by a press once its code is there', async () => {
    const button = page.getByRole('button', { name: /^User menu/ })
    await button.press('Enter')
    await expect(button).toHaveAttribute('aria-busy', 'true')
    await page.clock.fastForward(9_000)
    await expect(notice).toContainText(stillLoading)
    await expect(button).not.toHaveAttribute('aria-busy', 'true')
    await answerMenu()
    await page.locator('.toast-region').getByRole('button', { name: 'Dismiss' }).click()
    await expect(page.getByRole('menu')).toHaveCount(0)
    await button.press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('an upload says so in its row, and is cancelled there', async () => {
    const answer = await leaveWaiting(page, '**/assets/fileWorker*')
    await upload(page, pdf)
    const row = page.getByRole('article', { name: `Uploading ${pdf.name}` })
    await expect(row).toBeVisible()
    await page.clock.fastForward(9_000)
    await expect(row.getByText('The server has not answered yet')).toBeVisible()
    await row.getByRole('button', { name: 'Cancel upload' }).click()
    await expect(row).toHaveCount(0)
    await answer()
    await upload(page, pdf)
    await expect(page.getByRole('article').getByTitle(pdf.name)).toBeVisible()
  })

  await test.step('a PDF says so before it is downloaded, and opens by a press once its code is there', async () => {
    const view = page.getByRole('button', { name: 'View', exact: true })
    await view.click()
    await expect(view).toHaveAttribute('aria-busy', 'true')
    await page.clock.fastForward(9_000)
    await expect(notice).toContainText(stillLoading)
    await expect(view).not.toHaveAttribute('aria-busy', 'true')
    await answerView()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('a PDF whose worker does not come says so in the viewer, which can be closed', async () => {
    const answer = await leaveWaiting(page, '**/assets/pdf.worker*')
    await page.getByRole('button', { name: 'View', exact: true }).click()
    const viewer = page.getByRole('dialog', { name: pdf.name })
    await expect(viewer.getByRole('button', { name: 'Save' })).toBeEnabled()
    await page.clock.fastForward(9_000)
    await expect(viewer.getByText(stillLoading)).toBeVisible()
    await viewer.getByRole('button', { name: 'Close' }).click()
    await expect(viewer).toHaveCount(0)
    await answer()
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await expect(viewer.locator('canvas')).toBeVisible()
  })
})

test('a conversation on a phone stays usable while the code of the safety number loads', async ({
  openBrowser,
  enterAs,
}) => {
  const page = await openBrowser({ viewport: { width: 360, height: 740 } })
  await page.clock.install()
  const answer = await leaveWaiting(page, '**/assets/SafetySheet-*.js')
  await enterAs(page, helen)
  await page.getByRole('button', { name: /Amara/ }).first().click()
  const info = page.getByRole('button', { name: 'Info' })
  const sheet = page.getByRole('dialog', { name: 'Safety number' })

  await test.step('it can be written in, and Back ends the waiting', async () => {
    await info.click()
    await expect(info).toHaveAttribute('aria-busy', 'true')
    await page.getByRole('textbox', { name: /Amara/ }).fill('Meanwhile')
    await page.goBack()
    await expect(info).not.toHaveAttribute('aria-busy', 'true')
  })

  await test.step('after a long wait a toast says so, and the sheet opens by a press once its code is there', async () => {
    await info.click()
    await page.clock.fastForward(9_000)
    await expect(page.locator('.toast-region').getByRole('status')).toContainText(stillLoading)
    await expect(info).not.toHaveAttribute('aria-busy', 'true')
    await answer()
    await expect(sheet).toHaveCount(0)
    await info.click()
    await expect(sheet).toBeVisible()
    await expect(page.locator('main')).toHaveAttribute('inert')
    await sheet.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('textbox', { name: /Amara/ })).toHaveValue('Meanwhile')
  })
})
