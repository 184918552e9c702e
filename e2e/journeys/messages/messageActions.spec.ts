import type { Page } from '@playwright/test'
import { expectAccessible } from '../../support/screens/accessibility.ts'
import { composer, conversation, openConversation, sees, send } from '../../support/members/conversation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen, type Person } from '../../support/members/people.ts'

async function choose(page: Page, other: Person, words: string, item: string): Promise<void> {
  const row = conversation(page, other).getByRole('article').filter({ hasText: words }).first()
  await row.hover()
  await row.getByRole('button', { name: 'Message options' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('a message is answered with a quote, and deleted for both', async ({ pair: { amaraPage, helenPage } }) => {
  await openConversation(amaraPage, helen)
  await openConversation(helenPage, amara)
  await send(amaraPage, helen, 'Where do we meet?')
  await sees(helenPage, amara, 'Where do we meet?')

  await test.step('Reply puts the message above the field, which has the focus', async () => {
    await choose(helenPage, amara, 'Where do we meet?', 'Reply')
    await expect(helenPage.getByText('Reply to: ')).toBeVisible()
    await expect(composer(helenPage, amara)).toBeFocused()
    await expectAccessible(helenPage, 'a reply')
    await send(helenPage, amara, 'At the harbour')
    await expect(helenPage.getByText('Reply to: ')).toHaveCount(0)
  })

  await test.step('the quote shows the message on both sides', async () => {
    for (const [page, other] of [
      [amaraPage, helen],
      [helenPage, amara],
    ] as const)
      await expect(conversation(page, other).getByRole('button', { name: 'Where do we meet?' })).toBeVisible()
  })

  await test.step('Delete for both asks, and leaves a mark on both sides, in the quote too', async () => {
    await choose(amaraPage, helen, 'Where do we meet?', 'Delete for both')
    const dialog = amaraPage.getByRole('alertdialog', { name: 'Delete this message for both?' })
    await expect(dialog).toContainText('may have read it')
    await expectAccessible(amaraPage, 'the question before a deletion')
    await dialog.getByRole('button', { name: 'Delete for both' }).click()
    for (const [page, other] of [
      [amaraPage, helen],
      [helenPage, amara],
    ] as const) {
      await expect(conversation(page, other).getByText('Message deleted')).toHaveCount(2)
      await expect(conversation(page, other).getByText('Where do we meet?')).toHaveCount(0)
    }
  })
})
