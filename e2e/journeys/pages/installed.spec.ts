import type { Page } from '@playwright/test'
import { expectAccessible } from '../../support/screens/accessibility.ts'
import { seeDashboard, signUp } from '../../support/members/account.ts'
import { serveBuild } from '../../support/servers/builds.ts'
import { composer, connect, openConversation, ownCode, sees, send } from '../../support/members/conversation.ts'
import { fileRow, requestAccess, upload } from '../../support/files/files.ts'
import { kept as stored } from '../../support/servers/browserStorage.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'

test.use({ serviceWorker: true })

const isInstalled = (page: Page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => true))

const offline = (page: Page) => page.getByRole('heading', { name: 'You are offline' })

const outboxNames = async (page: Page) => (await stored(page)).filter((name) => name.startsWith('outbox/'))

/** Loads the page as it is found once the browser has ended the service worker. */
async function forgetHandedOver(page: Page): Promise<void> {
  await page.evaluate(() =>
    addEventListener('pagehide', () => navigator.serviceWorker.controller?.postMessage({ type: 'forget' })),
  )
  await page.reload()
}

/** URLs of all responses in this browser's caches, and their contents as text. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    const paths: string[] = []
    const texts: string[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        paths.push(new URL(request.url).pathname)
        texts.push((await (await cache.match(request))?.text()) ?? '')
      }
    }
    return { paths, text: texts.join('\n') }
  })

test('a member without a network keeps the application alone, and goes on when it is back', async ({
  pair: { amaraPage, helenPage },
  expectComplaint,
}) => {
  await test.step('what is kept for starting without a network is the application and nothing of anybody’s', async () => {
    await isInstalled(amaraPage)
    await amaraPage.reload()
    await seeDashboard(amaraPage)
    await openConversation(amaraPage, helen)
    await send(amaraPage, helen, 'The harbour at nine')
    await upload(amaraPage, { name: 'secret-plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') })
    await requestAccess(helenPage, amara, 'secret-plan.txt')
    const { paths, text } = await kept(amaraPage)
    expect(paths).toContain('/offline')
    expect(
      paths.filter((path) => !/^\/(assets\/[\w.-]+|offline|theme\.js|mark\.svg|manifest\.webmanifest)$/.test(path)),
    ).toEqual([])
    for (const word of [amara.username, amara.email, 'Whitford', 'harbour', 'secret-plan'])
      expect(text).not.toContain(word)
  })

  await test.step('without a network a member sees what does not work, and goes on when it is back', async () => {
    expectComplaint(/ERR_INTERNET_DISCONNECTED|Failed to fetch|The server cannot be reached/)
    await isInstalled(amaraPage)
    const otherTab = await amaraPage.context().newPage()
    await otherTab.goto('/')
    await seeDashboard(otherTab)
    await upload(helenPage, { name: 'from-helen.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
    await expect(fileRow(amaraPage, helen, 'from-helen.txt')).toBeVisible()
    await composer(amaraPage, helen).fill('Half a thou')
    await composer(amaraPage, helen).blur()
    await amaraPage.context().setOffline(true)
    await send(amaraPage, helen, 'Written without a network')
    await composer(amaraPage, helen).fill('Half a thought')
    await expect
      .poll(() =>
        amaraPage.evaluate(async () => {
          const databases = await indexedDB.databases()
          return databases.map(({ name }) => name)
        }),
      )
      .toContain('privity')
    await Promise.all([amaraPage.reload(), otherTab.reload()])
    for (const page of [amaraPage, otherTab]) await expect(page.getByText('Offline: messages as of')).toBeVisible()
    await otherTab.close()
    await openConversation(amaraPage, helen)
    await sees(amaraPage, helen, 'The harbour at nine')
    const file = fileRow(amaraPage, helen, 'from-helen.txt')
    await expect(file.getByText('Offline. Permissions are checked once you are online again.')).toBeVisible()
    await expect(file.getByRole('button', { name: 'Request Access' })).toBeDisabled()
    await send(amaraPage, helen, 'Written after a reload')
    await expect.poll(() => outboxNames(amaraPage)).toHaveLength(2)
    await expectAccessible(amaraPage, 'a reload without a network')
    await forgetHandedOver(amaraPage)
    await expect(offline(amaraPage)).toBeVisible()
    await expect(amaraPage.getByText('messages cannot be sent or read')).toBeVisible()
    await expect(amaraPage.getByText('Your drafts and unsent messages are kept on this device')).toBeVisible()
    await expectAccessible(amaraPage, 'offline')
    await amaraPage.getByRole('button', { name: 'Try again' }).click()
    await expect(offline(amaraPage)).toBeVisible()
    await amaraPage.goto('/settings')
    await expect(offline(amaraPage)).toBeVisible()
    await amaraPage.goto('/')
    await expect(offline(amaraPage)).toBeVisible()

    await amaraPage.context().setOffline(false)
    await seeDashboard(amaraPage)
    await sees(helenPage, amara, 'Written without a network')
    await sees(helenPage, amara, 'Written after a reload')
    await openConversation(amaraPage, helen)
    await sees(amaraPage, helen, 'Written without a network')
    await expect(fileRow(amaraPage, helen, 'from-helen.txt').getByText('Access not requested')).toBeVisible()
  })
})

interface Icon {
  src: string
  sizes: string
  type: string
}

/** Whether the service worker holds what a page has handed over. */
const isHandedOver = (page: Page) =>
  page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    const { port1, port2 } = new MessageChannel()
    active?.postMessage({ type: 'take' }, [port2])
    return new Promise((resolve) => {
      port1.addEventListener('message', ({ data }) => resolve(data !== undefined))
      port1.start()
    })
  })

test('locking a page that was reloaded without the cache removes what another has handed over', async ({
  amaraPage,
}) => {
  await isInstalled(amaraPage)
  await amaraPage.reload()
  await seeDashboard(amaraPage)
  const page = await amaraPage.context().newPage()
  await page.goto('/')
  await (await page.context().newCDPSession(page)).send('Page.reload', { ignoreCache: true })
  await openConversation(page, helen)
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()
  await amaraPage.goto('about:blank')
  await expect.poll(() => isHandedOver(page)).toBe(true)
  await page.keyboard.press('Control+Shift+L')
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible()
  await expect.poll(() => isHandedOver(page)).toBe(false)
})

test('a visitor gets a manifest and its icons, and no service worker', async ({ openBrowser }) => {
  const page = await openBrowser()
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Sign Up Free' })).toBeVisible()
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
  const address = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await page.request.get(String(address))
  expect(answer.headers()['content-type']).toContain('application/manifest+json')
  const manifest = (await answer.json()) as { name: string; start_url: string; display: string; icons: Icon[] }
  expect(manifest).toMatchObject({ name: 'Privity', start_url: '/', display: 'standalone' })
  const touch = await page.locator('link[rel=apple-touch-icon]').getAttribute('href')
  const icons = manifest.icons.filter(({ type }) => type === 'image/png')
  for (const { src, sizes } of [...icons, { src: String(touch), sizes: '180x180' }]) {
    const png = await (await page.request.get(src)).body()
    expect(png.length, src).toBeLessThan(20_000)
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, src).toBe(sizes)
  }
  expect(icons.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512', '512x512'])
  const colors = () =>
    page.locator('meta[name=theme-color]').evaluateAll((metas) => metas.map((meta) => meta.getAttribute('content')))
  expect(await colors()).toEqual(['#fdfefe', '#121f23'])
  await page.evaluate(() => (document.documentElement.dataset.theme = 'dark'))
  await expect.poll(colors).toEqual(['#121f23', '#121f23'])
})

/** Installing and updating a service worker takes a while on a busy machine. */
const patience = { timeout: 60_000 }

/** The script with which the page started; undefined while the page reloads. */
const entry = (page: Page) =>
  page
    .evaluate(() => {
      const script = document.querySelector('script[type=module][src]')?.getAttribute('src')
      // The landing page, served at the same address, names its scripts in a data attribute instead.
      return script ?? document.documentElement.dataset.code?.split(' ')[0]
    })
    .catch(() => undefined)

test('a new version is offered, twice, and waits until its user reloads', async ({ browser }) => {
  test.setTimeout(240_000)
  await using build = await serveBuild()
  await using context = await browser.newContext({ baseURL: build.origin })
  await using helens = await browser.newContext({ baseURL: build.origin })
  const [page, other] = [await context.newPage(), await context.newPage()]
  const helenPage = await helens.newPage()
  await Promise.all([signUp(page, amara), signUp(helenPage, helen)])
  await connect(page, await ownCode(helenPage))
  await openConversation(page, helen)
  await isInstalled(page)
  await other.goto('/')
  await seeDashboard(other)
  const notice = (each: Page) => each.getByText('A new version is available')
  const first = await entry(page)

  await composer(page, helen).fill('Not yet sent')
  await build.rebuild()
  await expect(notice(page)).toBeVisible(patience)
  await expect(notice(other)).toBeVisible(patience)
  await expectAccessible(page, 'a new version')
  await expect(composer(page, helen)).toHaveValue('Not yet sent')
  expect(await entry(page)).toBe(first)
  await other.getByRole('button', { name: 'Later' }).click()
  await expect(notice(other)).toBeHidden()
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect.poll(() => entry(page), patience).toMatch(/-1\.js$/)
  await seeDashboard(page)
  await openConversation(page, helen)
  await expect(composer(page, helen)).toHaveValue('Not yet sent')
  await expect(notice(page)).toBeHidden()
  // The other tab continues with the old version, including code that it loads only now.
  expect(await entry(other)).toBe(first)
  await openConversation(other, helen)
  await other.getByRole('button', { name: 'Info' }).click()
  await expect(other.getByRole('list', { name: 'Safety number' })).toBeVisible()

  await build.rebuild()
  await expect(notice(page)).toBeVisible(patience)
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect.poll(() => entry(page), patience).toMatch(/-1-2\.js$/)
  await seeDashboard(page)
  await expect.poll(() => page.evaluate(async () => (await caches.keys()).length)).toBe(2)
})
