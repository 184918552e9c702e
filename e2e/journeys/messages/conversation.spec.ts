import { refusal } from '../../support/members/account.ts'
import {
  composer,
  connect,
  connectionRow,
  conversation,
  message,
  openConversation,
  ownCode,
  sees,
  send,
} from '../../support/members/conversation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, fullName, helen } from '../../support/members/people.ts'

test('a conversation is the same live, after a reload, in a second tab and a second browser', async ({
  pair: { amaraPage, helenPage },
  openBrowser,
  enterAs,
  expectComplaint,
}) => {
  await test.step('chatting both ways, live, through a reload and in a second browser', async () => {
    await expect(conversation(amaraPage, helen).getByText('No messages yet. Start the conversation!')).toBeVisible()
    await send(amaraPage, helen, 'Is the witness still available Friday?')
    await sees(helenPage, amara, 'Is the witness still available Friday?')
    await send(helenPage, amara, 'Yes, from ten. 🔑 “Grüße”')
    await sees(amaraPage, helen, 'Yes, from ten. 🔑 “Grüße”')
    const read = conversation(amaraPage, helen).getByText('Read, delivery confirmed', { exact: true })
    await expect(read).toBeVisible()
    await expect(conversation(helenPage, amara).getByText('disappears in 24 h').first()).toBeVisible()

    await helenPage.reload()
    await openConversation(helenPage, amara)
    await sees(helenPage, amara, 'Is the witness still available Friday?')
    await sees(helenPage, amara, 'Yes, from ten. 🔑 “Grüße”')

    const second = await openBrowser()
    await enterAs(second, amara)
    await openConversation(second, helen)
    await sees(second, helen, 'Is the witness still available Friday?')
    await sees(second, helen, 'Yes, from ten. 🔑 “Grüße”')

    await send(second, helen, 'Sent from the second browser')
    await sees(amaraPage, helen, 'Sent from the second browser')
    await sees(helenPage, amara, 'Sent from the second browser')
  })

  await test.step('unread messages are counted until the conversation is opened', async () => {
    // Via another page: a reload would keep the open conversation.
    await helenPage.goto('/about')
    await helenPage.goto('/')
    await expect(connectionRow(helenPage, amara)).toBeVisible()
    for (let count = 1; count <= 10; count++) await send(amaraPage, helen, `Message ${count}`)
    await sees(amaraPage, helen, 'Message 10')
    await expect(connectionRow(helenPage, amara)).toContainText('9+')
    await expect(conversation(amaraPage, helen).getByText('Delivered', { exact: true }).last()).toBeVisible()

    await openConversation(helenPage, amara)
    await expect(message(helenPage, amara, 'Message 10')).toBeInViewport()
    await expect(connectionRow(helenPage, amara)).not.toContainText('9+')
    await expect(conversation(amaraPage, helen).getByText('Read', { exact: true }).last()).toBeVisible()
  })

  await test.step('codes that cannot connect say why', async () => {
    expectComplaint(/40[049] \(.*\) .*\/api\/connections$/)
    await connect(amaraPage, 'ABC-DEF-234')
    await expect(refusal(amaraPage, 'No one has that code.')).toBeVisible()
    await connect(amaraPage, await ownCode(amaraPage))
    await expect(refusal(amaraPage, 'That is your own code.')).toBeVisible()
    await connect(amaraPage, await ownCode(helenPage))
    await expect(refusal(amaraPage, 'You are already connected with this person.')).toBeVisible()
    await expect(amaraPage.getByRole('button', { name: 'Connect', exact: true })).toBeEnabled()
    await connect(amaraPage, 'ABC-DE')
    const field = amaraPage.getByLabel('Connect to Someone')
    await expect(field).toHaveAccessibleDescription(/^A code has 3 letters, 3 letters and 3 digits/)
    await expect(field).toHaveValue('ABC-DE')
    await expect(field).toBeFocused()
    await amaraPage.getByLabel('Connect to Someone').fill('  ')
    await expect(amaraPage.getByRole('button', { name: 'Connect', exact: true })).toBeDisabled()
  })

  await test.step('the 500-character limit is counted in characters, and blank texts are not sent', async () => {
    const longest = '🔑'.repeat(500)
    await composer(amaraPage, helen).fill(longest)
    await expect(amaraPage.getByText('500/500')).toBeVisible()
    await composer(amaraPage, helen).press('Enter')
    await sees(helenPage, amara, longest)

    await composer(amaraPage, helen).fill('   ')
    await expect(amaraPage.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  })

  await test.step('two tabs of one person stay in step', async () => {
    const tab = await amaraPage.context().newPage()
    await tab.goto('/')
    await openConversation(tab, helen)
    await send(amaraPage, helen, 'From the first tab')
    await sees(tab, helen, 'From the first tab')
    await send(tab, helen, 'From the second tab')
    await sees(amaraPage, helen, 'From the second tab')
    await send(helenPage, amara, 'To both tabs')
    await Promise.all([amaraPage, tab].map((page) => sees(page, helen, 'To both tabs')))
    await sees(helenPage, amara, 'From the first tab')
    await sees(helenPage, amara, 'From the second tab')
  })

  await test.step('a removed connection is gone for both', async () => {
    await send(amaraPage, helen, 'Soon gone')
    await sees(helenPage, amara, 'Soon gone')
    const [{ id }] = (await (await amaraPage.request.get('/api/connections')).json()) as [{ id: string }]
    const origin = new URL(amaraPage.url()).origin
    const answer = await amaraPage.request.delete(`/api/connections/${id}`, { headers: { origin } })
    expect(answer.status()).toBe(200)
    await expect(helenPage.getByText('No connections yet')).toBeVisible()
    await expect(helenPage.getByRole('heading', { name: fullName(amara) })).toBeHidden()
    await expect(amaraPage.getByText('No connections yet')).toBeVisible()
  })
})
