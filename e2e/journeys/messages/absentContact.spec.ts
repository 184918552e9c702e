import { composer, conversation, message, openConversation } from '../../support/members/conversation.ts'
import { exchangeKeys } from '../../support/members/newIdentity.ts'
import { expect, test } from '../../support/members/pair.ts'
import { helen } from '../../support/members/people.ts'
import { expectAccessible } from '../../support/screens/accessibility.ts'
import { expectReflow, zoomed } from '../../support/screens/reflow.ts'

const day = 24 * 60 * 60 * 1000

test('a message to a contact who has been away for ten days waits, after a question', async ({
  pair: { amaraPage, helenPage },
  server,
}) => {
  await helenPage.close()
  await exchangeKeys(server, helen, Date.now() - 10 * day)
  await amaraPage.reload()
  await openConversation(amaraPage, helen)
  await amaraPage.getByRole('alert').getByRole('button', { name: 'Review' }).click()
  const sheet = amaraPage.getByRole('dialog', { name: 'Safety number' })
  await sheet.getByRole('button', { name: 'Accept the new key' }).click()
  await amaraPage.getByRole('alertdialog').getByRole('button', { name: 'Accept new key' }).click()
  await sheet.getByRole('button', { name: 'Close' }).click()

  const notice = amaraPage.getByRole('status').filter({ hasText: 'Helen has not been here since' })
  await expect(notice).toContainText(
    'Messages wait in this browser until Helen is back. Uploading files is off until then.',
  )
  await expect(amaraPage.getByRole('button', { name: 'UPLOAD FILE' })).toBeDisabled()
  await composer(amaraPage, helen).fill('For when you are back')
  await composer(amaraPage, helen).press('Enter')
  const question = amaraPage.getByRole('alertdialog', { name: 'Send when Helen is back?' })
  await expect(question).toContainText('If they are not back within 24 hours, it is not sent.')
  await expectAccessible(amaraPage, 'the question')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(composer(amaraPage, helen)).toHaveValue('For when you are back')
  await expect(message(amaraPage, helen, 'For when you are back')).toHaveCount(0)

  await composer(amaraPage, helen).press('Enter')
  await question.getByRole('button', { name: 'Send when they are back' }).click()
  await expect(message(amaraPage, helen, 'For when you are back')).toBeVisible()
  await expect(conversation(amaraPage, helen)).toContainText('This person has been away for too long.')
  await expect(conversation(amaraPage, helen)).toContainText('Waiting')
  await expect(composer(amaraPage, helen)).toHaveValue('')
  await expectAccessible(amaraPage, 'the waiting message')
  await amaraPage.setViewportSize(zoomed)
  await expectReflow(amaraPage, 'the conversation')
  await conversation(amaraPage, helen).getByRole('button', { name: 'Discard' }).click()
  await expect(message(amaraPage, helen, 'For when you are back')).toHaveCount(0)
})
