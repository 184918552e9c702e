import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { seeDashboard, signIn } from '../../support/members/account.ts'
import { amara } from '../../support/members/people.ts'
import { kept } from '../../support/servers/browserStorage.ts'
import { launch } from '../../support/servers/browsers.ts'
import { findInProfile } from '../../support/servers/profile.ts'
import { expect, test } from '../../support/servers/test.ts'

test.use({ prepared: 'accounts' })

/** Uses a whole Chromium on a new profile: the headless shell has neither session files nor suggestions. */
async function onNewProfile<T>(use: (folder: string, context: BrowserContext, page: Page) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'privity-profile-'))
  const context = await chromium.launchPersistentContext(folder, { ...launch(undefined), locale: 'en-US' })
  try {
    return await use(folder, context, context.pages()[0] ?? (await context.newPage()))
  } finally {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  }
}

test('a password that is shown while an account is created is not written to the disk', async ({ server }) => {
  await onNewProfile(async (folder, context, page) => {
    await page.goto(`${server.origin}/auth`)
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByLabel('First name').pressSequentially('Control-Name')
    await page.getByRole('button', { name: 'Show password' }).click()
    await page.getByLabel('Password', { exact: true }).pressSequentially(amara.password)
    await page.goto(server.origin)
    await context.close()
    const inSessionFile = expect.arrayContaining([expect.stringContaining('Session_')])
    expect(await findInProfile(folder, Buffer.from('Control-Name', 'utf16le'))).toEqual(inSessionFile)
    expect(await findInProfile(folder, Buffer.from(amara.password, 'utf16le'))).toEqual([])
    expect(await findInProfile(folder, Buffer.from(amara.password))).toEqual([])
  })
})

test('a browser whose session was ended while it was closed removes its keys when it is opened', async ({
  server,
  openBrowser,
  enterAs,
}) => {
  const [page, other] = [await openBrowser(), await openBrowser()]
  await signIn(page, amara)
  expect(await kept(page)).toContain('keys')
  await page.goto('about:blank')
  await enterAs(other, amara)
  const ending = await other.request.delete('/api/sessions', { headers: { origin: server.origin } })
  expect(await ending.json()).toEqual({ ended: 1 })
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect.poll(() => kept(page)).not.toContain('keys')
})

/** The files of Chromium's suggestions that hold the username after a sign-in. */
const suggestedAfter = (origin: string, isShared: boolean) =>
  onNewProfile(async (folder, context, page) => {
    await page.goto(`${origin}/auth`)
    await page.getByLabel('Username').pressSequentially(amara.username)
    await page.getByLabel('Password', { exact: true }).pressSequentially(amara.password)
    await page.getByLabel('This is a shared computer').setChecked(isShared)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await seeDashboard(page)
    await context.close()
    return (await findInProfile(folder, Buffer.from(amara.username))).filter((path) => path.endsWith('Web Data'))
  })

test('a browser does not keep the username of a sign-in on a shared computer to suggest it', async ({ server }) => {
  expect(await suggestedAfter(server.origin, false)).toEqual(['Default/Web Data'])
  expect(await suggestedAfter(server.origin, true)).toEqual([])
})
