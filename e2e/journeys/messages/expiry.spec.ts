import { conversation, message, openConversation, sees, send } from '../../support/members/conversation.ts'
import { fileRow, upload } from '../../support/files/files.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'

test.use({ serverEnv: { MESSAGE_RETENTION: '12s' } })

test('messages and files disappear for both, live and for a browser that comes later', async ({
  pair: { amaraPage, helenPage },
  openBrowser,
  enterAs,
}) => {
  await send(amaraPage, helen, 'This will not last')
  await upload(amaraPage, { name: 'short-lived.txt', mimeType: 'text/plain', buffer: Buffer.from('short') })
  await sees(helenPage, amara, 'This will not last')
  await expect(fileRow(helenPage, amara, 'short-lived.txt')).toBeVisible()

  for (const [page, other] of [
    [amaraPage, helen],
    [helenPage, amara],
  ] as const) {
    await expect(message(page, other, 'This will not last')).toBeHidden({ timeout: 25_000 })
    await expect(fileRow(page, other, 'short-lived.txt')).toBeHidden({ timeout: 25_000 })
    await expect(conversation(page, other).getByText('No messages yet. Start the conversation!')).toBeVisible()
  }

  const later = await openBrowser()
  await enterAs(later, helen)
  await openConversation(later, amara)
  await expect(conversation(later, amara).getByText('No messages yet. Start the conversation!')).toBeVisible()
})
