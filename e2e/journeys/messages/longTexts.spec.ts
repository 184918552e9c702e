import type { Page } from '@playwright/test'
import { composer, conversation, message, openConversation, sees } from '../../support/members/conversation.ts'
import { expectAccessible } from '../../support/screens/accessibility.ts'
import { smallTargets } from '../../support/screens/targets.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'
import { phone } from '../../support/screens/touch.ts'

const paragraphs = ['One', 'Two', 'Three'].map((word) => `${word} ${'x'.repeat(400)}`)

async function paste(page: Page, text: string): Promise<void> {
  await composer(page, helen).focus()
  await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text)
  await page.keyboard.press('ControlOrMeta+v')
}

test('a pasted text that is too long stays whole and is sent in parts', async ({ pair: { amaraPage, helenPage } }) => {
  await amaraPage.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const text = paragraphs.join('\n\n')

  await test.step('it says in how many parts', async () => {
    await paste(amaraPage, text)
    await expect(composer(amaraPage, helen)).toHaveValue(text)
    await expect(amaraPage.getByText('Longer than 500 characters: it is sent in 3 parts.')).toBeVisible()
    await expectAccessible(amaraPage, 'a composer with a long text')
  })

  await test.step('Enter sends the parts, in order', async () => {
    await composer(amaraPage, helen).press('Enter')
    for (const part of paragraphs) await expect(message(helenPage, amara, part)).toHaveCount(1)
    await expect(conversation(helenPage, amara).getByRole('article').getByText(/xxx/)).toHaveText(paragraphs)
    await expect(composer(amaraPage, helen)).toHaveValue('')
    await expect(amaraPage.getByText('it is sent in')).toHaveCount(0)
  })

  await test.step('typing stops at the limit', async () => {
    await composer(amaraPage, helen).fill('x'.repeat(499))
    await composer(amaraPage, helen).pressSequentially('yz')
    await expect(composer(amaraPage, helen)).toHaveValue(`${'x'.repeat(499)}y`)
  })

  await test.step('one that needs too many parts stays, and says so', async () => {
    const long = 'x'.repeat(16 * 500)
    await composer(amaraPage, helen).fill('')
    await paste(amaraPage, long)
    await expect(composer(amaraPage, helen)).toHaveValue(long)
    await expect(amaraPage.getByText('Too long to send')).toBeVisible()
    await expect(amaraPage.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  })
})

test('a touch screen has a button for a new line, and Enter makes one if the member likes', async ({
  openBrowser,
  enterAs,
  amaraPage,
}) => {
  const page = await openBrowser(phone)
  await enterAs(page, helen)
  await openConversation(page, amara)
  const field = composer(page, amara)
  const button = page.getByRole('button', { name: 'New line' })

  await test.step('the button breaks the line where the caret stands; Enter sends', async () => {
    await field.fill('One two')
    await field.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(3, 4))
    await button.tap()
    await expect(field).toHaveValue('One\ntwo')
    await expect(field).toBeFocused()
    expect(await smallTargets(page)).toEqual([])
    await field.press('Enter')
    await sees(amaraPage, helen, 'One\ntwo')
  })

  await test.step('a desk has no such button', async () => {
    await expect(amaraPage.getByRole('button', { name: 'New line' })).toHaveCount(0)
  })

  await test.step('with the preference, Enter breaks the line and Ctrl+Enter sends', async () => {
    await page.goto('/settings')
    await page.getByRole('switch', { name: 'Enter makes a new line' }).tap()
    await page.getByRole('button', { name: 'Save Changes' }).tap()
    await expect(page.getByText('Settings saved')).toBeVisible()
    await page.goto('/')
    await openConversation(page, amara)
    await expect(button).toHaveCount(0)
    await field.fill('Three')
    await field.press('Enter')
    await field.pressSequentially('four')
    await expect(field).toHaveValue('Three\nfour')
    await field.press('Control+Enter')
    await sees(amaraPage, helen, 'Three\nfour')
  })
})
