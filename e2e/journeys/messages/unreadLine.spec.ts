import { conversation, message, openConversation, sees, send } from '../../support/members/conversation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'

test('a line shows where unread begins, until the conversation is left', async ({ pair: { amaraPage, helenPage } }) => {
  const line = conversation(helenPage, amara).getByText('New', { exact: true })

  await test.step('none stands before what was read, nor before what arrives in an open conversation', async () => {
    await send(amaraPage, helen, 'Read at once')
    await sees(helenPage, amara, 'Read at once')
    await expect(conversation(amaraPage, helen).getByText('Read, delivery confirmed')).toHaveCount(0)
    await expect(conversation(amaraPage, helen).getByText('Read', { exact: true })).toBeVisible()
    await expect(line).toHaveCount(0)
  })

  await test.step('it stands before the first of those that arrived meanwhile', async () => {
    await helenPage.goto('/about')
    for (let count = 1; count <= 12; count++) await send(amaraPage, helen, `Missed ${count}`)
    await sees(amaraPage, helen, 'Missed 12')
    await expect(conversation(amaraPage, helen).getByText('Sent', { exact: true })).toHaveCount(0)
    await helenPage.goto('/')
    await openConversation(helenPage, amara)
    await sees(helenPage, amara, 'Missed 12')
    await expect(line).toHaveCount(1)
    const next = line.locator('xpath=ancestor::div[contains(@class, "day")]/following-sibling::*[1]')
    await expect(next).toContainText('Missed 1')
    await expect(next).not.toContainText('Missed 12')
  })

  await test.step('it stays when all is read, an answer is sent and more arrives', async () => {
    await expect(conversation(amaraPage, helen).getByText('Read', { exact: true }).last()).toBeVisible()
    await send(helenPage, amara, 'An answer')
    await sees(amaraPage, helen, 'An answer')
    await send(amaraPage, helen, 'One more')
    await sees(helenPage, amara, 'One more')
    await expect(line).toHaveCount(1)
  })

  await test.step('the newest message stays in view while the field grows', async () => {
    const field = helenPage.getByRole('textbox', { name: /^Message / })
    await field.fill('Line\n'.repeat(8))
    await expect(message(helenPage, amara, 'One more')).toBeInViewport({ ratio: 1 })
    await field.fill('')
    await expect(message(helenPage, amara, 'One more')).toBeInViewport({ ratio: 1 })
  })

  await test.step('it is gone when the conversation is opened again', async () => {
    await helenPage.goto('/about')
    await helenPage.goto('/')
    await openConversation(helenPage, amara)
    await sees(helenPage, amara, 'One more')
    await expect(line).toHaveCount(0)
  })
})
