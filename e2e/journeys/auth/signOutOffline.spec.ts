import { seeDashboard, toast } from '../../support/members/account.ts'
import { composer, message, openConversation, send } from '../../support/members/conversation.ts'
import { kept } from '../../support/servers/browserStorage.ts'
import { expect, test } from '../../support/members/pair.ts'
import { helen } from '../../support/members/people.ts'

test('signing out without a connection ends the session later', async ({ amaraPage: page, expectComplaint }) => {
  await test.step('who is signed in is asked once at the start', async () => {
    const asked: string[] = []
    page.on('request', (request) => request.url().endsWith('/api/user') && asked.push(request.url()))
    await page.reload()
    await seeDashboard(page)
    await expect(page.getByRole('banner').getByText('Connected', { exact: true })).toBeVisible()
    expect(asked).toHaveLength(1)
  })

  await test.step('signing out without a connection stays in the app, and the session ends when it is back', async () => {
    // Code that failed to prefetch while offline is requested again when it is needed.
    expectComplaint(/ERR_INTERNET_DISCONNECTED|CallError|OFFLINE|cannot be reached|imported module|preload CSS/)
    await page.context().setOffline(true)
    await openConversation(page, helen)
    await send(page, helen, 'Waits')
    await composer(page, helen).fill('Half a sentence')
    await expect.poll(() => kept(page)).toContainEqual(expect.stringMatching(/^draft\//))
    const logout = async () => {
      await page.getByRole('button', { name: /^User menu/ }).click()
      await page.getByRole('menuitem', { name: 'Logout' }).click()
    }
    await logout()
    const question = page.getByRole('alertdialog', { name: 'Discard unsent messages and log out?' })
    await expect(question).toContainText('Some messages or files have not been sent yet.')
    await expect(question).toContainText('You have an unsent draft.')
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await expect(message(page, helen, 'Waits')).toBeVisible()
    await expect(composer(page, helen)).toHaveValue('Half a sentence')

    await logout()
    await question.getByRole('button', { name: 'Discard and log out' }).click()
    await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
    await expect(toast(page, 'You are signed out on this device')).toBeVisible()
    await expect(toast(page, 'The server could not be reached')).toBeVisible()
    expect((await page.context().cookies()).filter(({ name }) => name.includes('session'))).toHaveLength(1)

    const ended = page.waitForResponse((response) => response.url().endsWith('/api/logout') && response.ok())
    await page.context().setOffline(false)
    await ended
    await expect.poll(async () => (await page.request.get('/api/user')).status()).toBe(401)
    await page.reload()
    await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  })
})
