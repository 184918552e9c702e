import type { Page } from '@playwright/test'
import { toast } from '../../support/members/account.ts'
import { connectionRow, message, openConversation, send, sees } from '../../support/members/conversation.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'
import { setVisibility } from '../../support/servers/polls.ts'

async function set(page: Page, name: string, on: boolean): Promise<void> {
  await moveTo(page, '/settings')
  await page.getByRole('switch', { name, exact: true }).setChecked(on)
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(toast(page, 'Settings saved')).toBeVisible()
  await page.getByRole('link', { name: 'Privity' }).first().click()
}

const switchOff = (page: Page, name: string) => set(page, name, false)
const switchBack = (page: Page, name: string) => set(page, name, true)

test('auto sync, background sync and preloading, each switched off: what waits, and for what', async ({
  pair: { amaraPage, helenPage },
}) => {
  await test.step('preloading fetches a conversation before it is opened; switched off, it waits for that', async () => {
    await send(helenPage, amara, 'Good morning')
    await sees(amaraPage, helen, 'Good morning')
    const isHistory = (url: string) => /\/api\/connections\/[^/]+\/messages(\?|$)/.test(url)
    const fetched: string[] = []
    amaraPage.on('request', (request) => void (isHistory(request.url()) && fetched.push(request.url())))
    await amaraPage.goto('/account-settings')
    await expect(amaraPage.getByText('Connected', { exact: true })).toBeVisible()
    const ahead = amaraPage.waitForResponse((response) => isHistory(response.url()))
    await amaraPage.getByRole('link', { name: 'Privity' }).first().click()
    await (await ahead).finished()
    fetched.length = 0
    await openConversation(amaraPage, helen)
    await sees(amaraPage, helen, 'Good morning')
    expect(fetched).toEqual([])

    await switchOff(amaraPage, 'Preload messages')
    await amaraPage.reload()
    await expect(connectionRow(amaraPage, helen)).toBeVisible()
    await amaraPage.waitForResponse((response) => response.url().endsWith('/api/unread-counts'))
    expect(fetched).toEqual([])
    await openConversation(amaraPage, helen)
    await sees(amaraPage, helen, 'Good morning')
    expect(fetched).toHaveLength(1)
  })

  await test.step('with auto sync off, a new message waits until it is asked for, and is unread until then', async () => {
    await switchOff(amaraPage, 'Auto sync')
    await openConversation(amaraPage, helen)
    await send(amaraPage, helen, 'Before')
    await sees(helenPage, amara, 'Before')
    await send(helenPage, amara, 'Afterwards')
    const load = amaraPage.getByRole('button', { name: 'Load new messages' })
    await expect(load).toBeVisible()
    await expect(message(amaraPage, helen, 'Afterwards')).toHaveCount(0)
    await expect(connectionRow(amaraPage, helen).getByText('1 unread')).toBeAttached()
    await load.click()
    await sees(amaraPage, helen, 'Afterwards')
    await sees(amaraPage, helen, 'Before')
    await expect(load).toHaveCount(0)
    await expect(connectionRow(amaraPage, helen).getByText('1 unread')).toHaveCount(0)
    await switchBack(amaraPage, 'Auto sync')
  })

  await test.step('with background sync off, a hidden tab is offline, and in step again once it is seen', async () => {
    const online = helenPage.getByRole('main').getByText('Online', { exact: true })
    await expect(online).toBeVisible()
    await openConversation(amaraPage, helen)
    await setVisibility(amaraPage, 'hidden')
    await send(helenPage, amara, 'You still hear this')
    await expect(message(amaraPage, helen, 'You still hear this')).toHaveCount(1)
    await setVisibility(amaraPage, 'visible')

    await switchOff(amaraPage, 'Background sync')
    await openConversation(amaraPage, helen)
    await setVisibility(amaraPage, 'hidden')
    await expect(amaraPage.getByRole('banner').first().getByText('Disconnected')).toBeAttached()
    await expect(online).toBeHidden()
    await send(helenPage, amara, 'While you were away')
    await sees(helenPage, amara, 'While you were away')
    await expect(message(amaraPage, helen, 'While you were away')).toHaveCount(0)
    await setVisibility(amaraPage, 'visible')
    await sees(amaraPage, helen, 'While you were away')
    await expect(online).toBeVisible()
  })
})
