import type { Page } from '@playwright/test'
import { signOut, toast } from '../../support/members/account.ts'
import { composer, conversation, ownCode, sees, send } from '../../support/members/conversation.ts'
import { storedEvents } from '../../support/servers/database.ts'
import { menuBlocked, watched } from '../../support/members/deterrents.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'
import type { RunningServer } from '../../support/servers/server.ts'

const kinds = async (server: RunningServer) =>
  (await storedEvents(server)).map(({ type, severity }) => `${type} ${severity}`)

const arrived = (server: RunningServer, ...expected: string[]) =>
  expect.poll(async () => (await kinds(server)).sort()).toEqual([...expected].sort())

const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const writeClipboard = (page: Page, text: string) =>
  page.evaluate((given) => navigator.clipboard.writeText(given), text)

/** Hides and shows the page, as by switching tabs. */
const hideAndShow = (page: Page) =>
  page.evaluate(() => {
    for (const state of ['hidden', 'visible']) {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }
  })

async function drag(page: Page, selector: string): Promise<void> {
  const box = await page.locator(selector).boundingBox()
  if (!box) throw new Error(`There is no ${selector}.`)
  await page.mouse.move(box.x + 20, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + 80, box.y + 120, { steps: 6 })
  await page.mouse.up()
}

const isUrgent = (page: Page, title: string) => expect(page.getByRole('alert').getByText(title)).toBeVisible()
const isCalm = (page: Page, title: string) =>
  expect(page.getByRole('region', { name: 'Notices' }).getByRole('status').getByText(title)).toBeVisible()

test('every trigger is warned of as specified, and stored with its type and severity', async ({
  amaraPage: page,
  server,
}) => {
  await watched(page)

  await writeClipboard(page, 'something private')
  await page.keyboard.press('PrintScreen')
  await isUrgent(page, 'Screenshots are not permitted for security reasons')
  await expect.poll(() => readClipboard(page)).toBe('')

  await page.keyboard.press('F12')
  await isUrgent(page, 'Developer tools access is restricted')
  await isUrgent(page, 'This attempt has been logged.')

  await page.evaluate("console.log('looking around')")
  await isCalm(page, 'Console access detected - activity is logged')

  await page.keyboard.press('Control+p')
  await isCalm(page, 'Printing is not permitted for security reasons')

  await page.getByRole('heading', { name: 'Your connection code' }).focus()
  await page.getByRole('heading', { name: 'Active Connections' }).click({ button: 'right' })
  await isCalm(page, 'Right-click is disabled for security')

  await page.keyboard.press('Control+c')
  await hideAndShow(page)
  await drag(page, 'a.brand')

  await arrived(
    server,
    'screenshot_attempt high',
    'dev_tools_detected high',
    'dev_tools_detected medium',
    'print_attempt medium',
    'right_click_blocked low',
    'copy_attempt low',
    'page_visibility_change low',
    'suspicious_activity low',
  )
  const events = await storedEvents(server)
  const session = await page.evaluate(() => sessionStorage.getItem('sessionId'))
  for (const event of events) expect(event).toMatchObject({ username: amara.username, path: '/', session })
  expect(JSON.stringify(events)).not.toContain('private')
  await test.step('nobody signed in: nothing is watched', async () => {
    await signOut(page)
    await page.keyboard.press('F12')
    await page.keyboard.press('PrintScreen')
    const blocked = menuBlocked(page)
    await page.getByRole('heading', { level: 1 }).click({ button: 'right' })
    expect(await blocked).toBe(false)
    await expect(toast(page, 'Developer tools access is restricted')).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(page.locator('html[data-no-print]')).not.toBeAttached()
    expect(await storedEvents(server)).toHaveLength(events.length)
  })
})

test('the other ways to the same: Ctrl+Shift+I, the Mac, the print dialog from the menu', async ({
  openBrowser,
  server,
  enterAs,
}) => {
  const page = await openBrowser()
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'platform', { get: () => localStorage.getItem('platform') ?? 'Linux x86_64' })
  })
  await enterAs(page, amara)
  await watched(page)
  await page.keyboard.press('Control+Shift+I')
  await isUrgent(page, 'Developer tools access is restricted')
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await isCalm(page, 'Printing is not permitted for security reasons')
  await arrived(server, 'dev_tools_detected high', 'print_attempt medium')

  await page.evaluate(() => localStorage.setItem('platform', 'MacIntel'))
  await page.evaluate(() => sessionStorage.removeItem('sessionId'))
  await page.reload()
  await watched(page)
  await page.evaluate(() => sessionStorage.removeItem('sessionId'))
  await page.keyboard.press('Meta+Alt+i')
  await isUrgent(page, 'Developer tools access is restricted')
  await page.keyboard.press('Meta+p')
  await isCalm(page, 'Printing is not permitted for security reasons')
  await page.keyboard.press('Meta+Shift+4')
  await isUrgent(page, 'Screenshots are not permitted for security reasons')
  await page.getByRole('heading', { name: 'Select a Connection' }).click()
  await page.keyboard.press('Meta+c')
  // On a Mac, Ctrl with a letter moves the cursor in text.
  await page.keyboard.press('Control+p')
  await arrived(
    server,
    'dev_tools_detected high',
    'print_attempt medium',
    'dev_tools_detected high',
    'print_attempt medium',
    'screenshot_attempt high',
    'copy_attempt low',
  )
  expect((await storedEvents(server)).at(-1)?.session).toBe('unknown')
})

test('what is left alone: fields, one’s own code, the keyboard, copying; and what paper shows', async ({
  amaraPage: page,
  server,
}) => {
  await test.step('a message can be copied: that is noted, not prevented', async () => {
    await send(page, helen, 'Read me aloud')
    await sees(page, helen, 'Read me aloud')
    await expect(conversation(page, helen).getByText('Sent', { exact: true })).toBeVisible()
    await watched(page)
    await page.getByText('Read me aloud').click({ clickCount: 3 })
    await page.keyboard.press('Control+c')
    await expect.poll(() => readClipboard(page)).toContain('Read me aloud')
    await arrived(server, 'copy_attempt low')
    expect(JSON.stringify(await storedEvents(server))).not.toContain('aloud')
  })

  await test.step('on paper there is a notice and nothing else', async () => {
    await send(page, helen, 'Not for paper')
    await sees(page, helen, 'Not for paper')
    await watched(page)
    const notice = page.getByRole('heading', { name: 'This page is not printed' })
    await expect(notice).toBeHidden()
    await page.emulateMedia({ media: 'print' })
    await expect(notice).toBeVisible()
    const shown = await page.evaluate(() => document.body.innerText)
    expect(shown.trim().split(/\n+/)).toEqual([
      'This page is not printed',
      'Printing is not permitted for security reasons. Open Privity in your browser to read it.',
    ])
    await page.emulateMedia({ media: null })
  })

  await test.step('text fields, one’s own code and the keyboard are left alone', async () => {
    await watched(page)
    const field = composer(page, helen)
    await field.fill('Meet at nine')
    await field.press('Control+a')
    await field.press('Control+c')
    expect(await readClipboard(page)).toBe('Meet at nine')
    await field.press('End')
    await field.press('Control+v')
    await expect(field).toHaveValue('Meet at nineMeet at nine')
    await field.press('Control+a')
    await field.press('Control+x')
    await expect(field).toHaveValue('')
    await field.press('Control+v')
    await expect(field).toHaveValue('Meet at nineMeet at nine')

    const inField = menuBlocked(page)
    await field.click({ button: 'right' })
    expect(await inField).toBe(false)
    await page.keyboard.press('Escape')

    // A context menu opened by keyboard is never blocked: some people have no other.
    await conversation(page, helen).focus()
    let byKey: boolean | undefined
    void menuBlocked(page).then((blocked) => (byKey = blocked))
    await expect
      .poll(async () => {
        // The previous menu may still be closing and swallow the key.
        await page.keyboard.press('Shift+F10')
        return byKey
      })
      .toBe(false)
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Copy Code' }).click()
    const code = await ownCode(page)
    expect(await readClipboard(page)).toBe(code)
    const ownMenu = menuBlocked(page)
    await page.getByRole('heading', { name: 'Your connection code' }).click({ button: 'right' })
    expect(await ownMenu).toBe(false)
    await page.keyboard.press('Escape')
    await page.evaluate(() => {
      const own = document.querySelector('.code-shown')
      if (own) getSelection()?.selectAllChildren(own)
    })
    await page.keyboard.press('Control+c')
    expect((await readClipboard(page)).replaceAll(/\s/g, '')).toBe(code)

    // Text inside a field may be dragged to another position in it.
    const dragged = await field.evaluate(
      (element) => !element.dispatchEvent(new DragEvent('dragstart', { bubbles: true, cancelable: true })),
    )
    expect(dragged).toBe(false)

    await page.keyboard.press('F12')
    await arrived(server, 'copy_attempt low', 'dev_tools_detected high')
  })
})

test('events wait through a lost server, a reload and no network, and arrive once each', async ({
  amaraPage: page,
  server,
  expectComplaint,
}) => {
  await test.step('events wait through a lost server and a reload, and arrive once each', async () => {
    expectComplaint(/ERR_FAILED/)
    await watched(page)
    await page.route('**/api/security-audit**', (route) => route.abort())
    const refused = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/security-audit'))
    await page.keyboard.press('F12')
    await page.keyboard.press('Control+p')
    await refused
    expect(await storedEvents(server)).toEqual([])
    await page.reload()
    await watched(page)
    await page.unroute('**/api/security-audit**')
    await arrived(server, 'dev_tools_detected high', 'print_attempt medium')

    // The response is lost after the server has stored the event: the event is sent again, and stored once.
    let lost = 0
    await page.route('**/api/security-audit**', async (route) => {
      lost += 1
      if (lost > 1) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await page.keyboard.press('PrintScreen')
    await expect.poll(() => lost).toBeGreaterThan(1)
    await arrived(server, 'dev_tools_detected high', 'print_attempt medium', 'screenshot_attempt high')
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('securityEvent'))))
      .toEqual([])
    await page.unroute('**/api/security-audit**')
  })

  await test.step('events noted while offline go out when the connection is back', async () => {
    expectComplaint(/ERR_INTERNET_DISCONNECTED/)
    await watched(page)
    await page.context().setOffline(true)
    for (const key of ['F12', 'Control+p', 'PrintScreen']) await page.keyboard.press(key)
    await expect(toast(page, 'Screenshots are not permitted for security reasons')).toBeVisible()
    const each = ['dev_tools_detected high', 'print_attempt medium', 'screenshot_attempt high']
    expect(await storedEvents(server)).toHaveLength(each.length)
    await page.context().setOffline(false)
    await arrived(server, ...each, ...each)
  })
})
