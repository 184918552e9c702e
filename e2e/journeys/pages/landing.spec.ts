import type { Page } from '@playwright/test'
import { expect, test } from '../../support/servers/test.ts'

/** The part of React's internals at the root element that we read. */
interface Container {
  stateNode: { current: { memoizedState: { isDehydrated: boolean } } }
}

/** Waits until React has hydrated the prerendered page. */
const taken = (page: Page) =>
  page.waitForFunction(() =>
    Object.keys(document.querySelector('.brand') ?? {}).some((name) => name.startsWith('__reactFiber')),
  )

test('is readable, in either language, and leads on without JavaScript', async ({ openBrowser }) => {
  const page = await openBrowser({ javaScriptEnabled: false })
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Strictly between the two of you.' })).toBeVisible()
  for (const name of ['Sign In', 'Sign Up Free', 'Get Started'])
    await expect(page.getByRole('link', { name }).first()).toHaveAttribute('href', /^\/auth/)
  await expect(page).toHaveTitle('Private messaging and file sharing for two · Privity')
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Nur zwischen Ihnen beiden.' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
})

test('keeps what was rendered while the application takes it over, and a link always leads on', async ({
  openBrowser,
}) => {
  const page = await openBrowser()
  const signIn = page.getByRole('link', { name: 'Sign In' })
  /** Holds these files back; resolves with the function that releases them. */
  const hold = async (files: RegExp) => {
    const asked = page.waitForRequest(files)
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(files, (route) => promise.then(() => route.continue()).catch(() => {}))
    await page.goto('/')
    await asked
    return async () => {
      resolve()
      await page.unroute(files)
    }
  }
  for (const files of [/\/assets\/index-[^/]*\.js$/, /\/api\/user$/, /\/assets\/Landing-[^/]*\.js$/])
    await test.step(`a click while ${files} is on its way`, async () => {
      const release = await hold(files)
      const asked = page.waitForRequest('**/auth')
      await signIn.click({ noWaitAfter: true })
      await asked
      await release()
      await expect(page).toHaveURL(/\/auth$/)
    })

  await test.step('who leaves a page before the server has said who is signed in stays a visitor', async () => {
    const asked = page.waitForRequest('**/api/user')
    await page.route('**/api/user', () => {})
    await page.goto('/auth')
    await asked
    await page.goto('/')
    await expect(page.locator('html')).not.toHaveAttribute('data-hold')
    await expect(signIn).toBeVisible()
    await page.unroute('**/api/user')
  })

  await test.step('a press that begins before the application has the page, and ends after', async () => {
    const release = await hold(/\/assets\/Landing-[^/]*\.js$/)
    const heading = await page.locator('h1').elementHandle()
    await signIn.hover()
    await page.mouse.down()
    // The application runs, and lacks only the code of this page.
    await page.waitForFunction(() => {
      const known = Object.entries(document.querySelector('#root') ?? {})
      const container = known.find(([name]) => name.startsWith('__reactContainer'))?.[1] as Container | undefined
      return container?.stateNode.current.memoizedState.isDehydrated === false
    })
    await release()
    await taken(page)
    expect(await heading?.evaluate((element) => element.isConnected)).toBe(true)
    await page.mouse.up()
    await expect(page).toHaveURL(/\/auth$/)
  })
})

test('has the metadata of a page that may be found, and loads nothing from elsewhere', async ({
  openBrowser,
  server,
}) => {
  const page = await openBrowser()
  const script = page.waitForResponse(/\/assets\/[^/]*\.js$/)
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== server.origin) elsewhere.push(request.url())
  })
  await page.goto('/')
  expect(await (await script).headerValue('content-encoding'), 'the application is compressed').toMatch(/^(br|gzip)$/)
  await taken(page)
  await expect(page.locator('meta[name=description]')).toHaveAttribute('content', /Messages disappear after 24 hours/)
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'index, follow')
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', /Private messaging/)
  await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', '/mark.svg')
  await page.goto('/auth')
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  expect(elsewhere).toEqual([])
})

test('three clicks on the logo, each within 2 seconds of the one before, lead to /founder', async ({ openBrowser }) => {
  const page = await openBrowser()
  await page.clock.install()
  await page.goto('/')
  await taken(page)
  const logo = page.getByRole('link', { name: 'Privity', exact: true })
  await page.clock.pauseAt(Date.now() + 60_000)
  const click = async (pause: number) => {
    await page.clock.runFor(pause)
    await logo.click()
  }
  await page.evaluate(() => void (document.body.dataset.same = 'yes'))
  await click(0)
  await click(2001)
  await click(1999)
  expect(new URL(page.url()).pathname).toBe('/')
  await expect(page.locator('body')).toHaveAttribute('data-same', 'yes')
  await click(2000)
  await page.waitForURL('**/founder')
  await expect(page.locator('body')).not.toHaveAttribute('data-same', 'yes')

  await test.step('the same by keyboard', async () => {
    await page.clock.resume()
    await page.goto('/')
    await taken(page)
    await logo.focus()
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Enter')
    await page.waitForURL('**/founder')
  })
})
