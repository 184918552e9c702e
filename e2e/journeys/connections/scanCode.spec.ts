import type { Page } from '@playwright/test'
import { toast } from '../../support/members/account.ts'
import { amara, helen } from '../../support/members/people.ts'
import { expectAccessible, expectAccessibleOnPhone } from '../../support/screens/accessibility.ts'
import { cameraStates, launchWithCamera, recordCameras, showToCamera } from '../../support/screens/camera.ts'
import { expect, test } from '../../support/servers/test.ts'

test.use({ prepared: 'accounts', launchOptions: launchWithCamera })
// The film of the camera is one file for all of them.
test.describe.configure({ mode: 'serial' })

const scanButton = (page: Page) => page.getByRole('button', { name: 'Scan a QR code' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Scan a QR Code' })
const status = (page: Page) => dialog(page).getByRole('status')

/** The link that the QR code of the page's user holds. */
async function ownLink(page: Page): Promise<string> {
  await page.evaluate(() => Object.defineProperty(navigator, 'share', { value: undefined }))
  await page.getByRole('button', { name: 'Share', exact: true }).first().click()
  await expect(toast(page, 'Invitation copied to clipboard')).toBeVisible()
  return /http\S+/.exec(await page.evaluate(() => navigator.clipboard.readText()))?.[0] ?? ''
}

/** Lets the page count as hidden, as a tab behind another one, or as visible. */
const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)

test('the QR code of a contact is scanned, connects, and confirms the key', async ({ openBrowser, enterAs }) => {
  const amaraPage = await openBrowser()
  await enterAs(amaraPage, amara)
  showToCamera(await ownLink(amaraPage))

  const page = await openBrowser({ permissions: ['camera'] })
  await recordCameras(page)
  await enterAs(page, helen)
  await scanButton(page).click()
  await expect(toast(page, 'Connection established successfully!')).toBeVisible()
  await expect(page.getByRole('main').getByRole('button', { name: 'Confirmed by link' })).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  expect(await cameraStates(page)).toEqual(['ended'])
})

test('other QR codes are told and left, until one can be connected with', async ({
  server,
  openBrowser,
  enterAs,
  expectComplaint,
}) => {
  const page = await openBrowser({ permissions: ['camera'] })
  await recordCameras(page)
  await enterAs(page, helen)
  const link = await ownLink(page)
  const address = page.url()

  await test.step('a link of another server', async () => {
    showToCamera(link.replace(server.origin, 'https://privity.example'))
    await scanButton(page).click()
    await expect(status(page)).toHaveText(/^This link belongs to another server\./)
    await expectAccessible(page, 'a code of another server')
    await page.keyboard.press('Escape')
  })

  for (const [name, text] of [
    ['an address', 'https://example.org/'],
    ['the secret of an authenticator', 'otpauth://totp/Other:helen?secret=JBSWY3DPEHPK3PXP&issuer=Other'],
    ['a damaged link', link.slice(0, -2)],
    ['a code that does not exist', 'KTI-MVX-482'],
  ] as const)
    await test.step(name, async () => {
      showToCamera(text)
      await scanButton(page).click()
      await expect(status(page)).toHaveText(/^This is not a Privity connection code\./)
      expect((await cameraStates(page)).at(-1)).toBe('live')
      await page.keyboard.press('Escape')
    })

  await test.step("after a wrong one, one's own: it is refused beside the field", async () => {
    expectComplaint(/400 \(Bad Request\) .*\/api\/connections$/)
    showToCamera('https://example.org/', link)
    await scanButton(page).click()
    const field = page.getByLabel('Connect to Someone')
    await expect(field).toHaveAccessibleDescription(/That is your own code\./)
    await expect(dialog(page)).toHaveCount(0)
    await expect(field).toBeFocused()
  })
  expect(page.url()).toBe(address)
  expect(new Set(await cameraStates(page))).toEqual(new Set(['ended']))
})

test('the camera stops with the dialog and with the page hidden; no picture is sent', async ({
  openBrowser,
  enterAs,
}) => {
  showToCamera('')
  const page = await openBrowser({ permissions: ['camera'] })
  await recordCameras(page)
  await enterAs(page, helen)
  const sent: string[] = []
  await scanButton(page).focus()
  page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()))
  await page.keyboard.press('Enter')
  await expect(status(page)).toHaveText('Looking for a QR code ...')
  await expectAccessibleOnPhone(page, 'scanning a code')
  expect(await cameraStates(page)).toEqual(['live'])
  await expect(status(page)).toHaveText(/^No QR code found yet\./)
  // After signing in, each browser publishes its own key when it finds the time.
  expect(sent.filter((address) => !address.endsWith('/api/browsers/own'))).toEqual([])

  await setHidden(page, true)
  expect(await cameraStates(page)).toEqual(['ended'])
  await setHidden(page, false)
  await expect(status(page)).toHaveText('Looking for a QR code ...')
  expect(await cameraStates(page)).toEqual(['ended', 'live'])

  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  expect(await cameraStates(page)).toEqual(['ended', 'ended'])
  await expect(scanButton(page)).toBeFocused()
})

test('a camera that cannot be used is told, with another try', async ({ openBrowser, enterAs }) => {
  showToCamera('')
  const page = await openBrowser({ permissions: ['camera'] })
  await page.addInitScript(() => {
    const names = ['NotAllowedError', 'NotFoundError', 'NotReadableError', 'TypeError']
    const start = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = (wanted) => {
      const name = names.shift()
      return name === undefined ? start(wanted) : Promise.reject(new DOMException('', name))
    }
  })
  await enterAs(page, helen)
  await scanButton(page).click()
  await expect(status(page)).toHaveText(/^The camera is not allowed\./)
  await expectAccessibleOnPhone(page, 'a camera that is not allowed')
  for (const sentence of [
    /^No camera was found\./,
    /^The camera cannot be used now\./,
    /^Scanning did not work\./,
    'Looking for a QR code ...',
  ]) {
    const again = dialog(page).getByRole('button', { name: 'Try Again' })
    await again.focus()
    await page.keyboard.press('Enter')
    await expect(status(page)).toHaveText(sentence)
    expect(await dialog(page).evaluate((element) => element.contains(document.activeElement))).toBe(true)
  }
})

test("the browser's own reader is used, and the library where that fails", async ({ openBrowser, enterAs }) => {
  const amaraPage = await openBrowser()
  await enterAs(amaraPage, amara)
  showToCamera((await ownLink(amaraPage)).replace(/^[^#]*#/, 'https://privity.example/#'))

  const page = await openBrowser({ permissions: ['camera'] })
  await page.addInitScript(() => {
    let reads = 0
    class OwnDetector {
      static getSupportedFormats() {
        return Promise.resolve(['qr_code'])
      }
      detect() {
        if (++reads > 20) return Promise.reject(new DOMException('', 'NotSupportedError'))
        return Promise.resolve([{ rawValue: 'https://example.org/' }])
      }
    }
    Object.assign(globalThis, { BarcodeDetector: OwnDetector })
  })
  await enterAs(page, helen)
  await scanButton(page).click()
  await expect(status(page)).toHaveText(/^This is not a Privity connection code\./)
  await expect(status(page)).toHaveText(/^This link belongs to another server\./)
})
