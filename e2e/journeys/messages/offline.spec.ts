import { seeDashboard } from '../../support/members/account.ts'
import { composer, conversation, message, openConversation, sees, send } from '../../support/members/conversation.ts'
import { kept } from '../../support/servers/browserStorage.ts'
import { test as killable } from '../../support/servers/restartableServer.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'

test('neither a reload nor a lost connection loses a text', async ({
  pair: { amaraPage, helenPage },
  expectComplaint,
}) => {
  await test.step('a text that was typed but not sent survives a reload', async () => {
    await composer(amaraPage, helen).fill('Not yet')
    await expect.poll(() => kept(amaraPage)).toContainEqual(expect.stringMatching(/^draft\//))
    await amaraPage.reload()
    await openConversation(amaraPage, helen)
    await expect(composer(amaraPage, helen)).toHaveValue('Not yet')
  })

  await test.step('messages written while offline go out by themselves, once each and in order', async () => {
    expectComplaint(/ERR_INTERNET_DISCONNECTED|The server cannot be reached/)
    await amaraPage.context().setOffline(true)
    for (const text of ['First', 'Second', 'Third']) await send(amaraPage, helen, text)
    await expect(message(amaraPage, helen, 'Third')).toBeVisible()
    // Each Enter moves the text from the draft to the outbox.
    const names = await kept(amaraPage)
    expect(names.filter((name) => name.startsWith('draft/'))).toEqual([])
    expect(names.filter((name) => name.startsWith('outbox/'))).toHaveLength(3)
    await expect(conversation(amaraPage, helen).getByText('Will be sent when you are online again')).toBeVisible()
    await expect(conversation(amaraPage, helen).getByText('Sending', { exact: true })).toHaveCount(0)

    await amaraPage.context().setOffline(false)
    for (const text of ['First', 'Second', 'Third']) await sees(helenPage, amara, text)
    const order = (await conversation(helenPage, amara).textContent()) ?? ''
    expect(order).toMatch(/First.*Second.*Third/s)
    await expect(conversation(amaraPage, helen).getByText('Read', { exact: true })).toBeVisible()
  })
})

killable(
  'a server that is killed and comes back loses nothing, and the browsers find it again',
  async ({ pair: { amaraPage, helenPage }, server, expectComplaint }) => {
    expectComplaint(
      /ERR_CONNECTION_(REFUSED|RESET)|ERR_EMPTY_RESPONSE|WebSocket connection to .* failed|The server cannot be reached/,
    )
    await send(amaraPage, helen, 'Before the crash')
    await sees(helenPage, amara, 'Before the crash')
    await server.crashAndRestart()
    await send(amaraPage, helen, 'After the crash')
    await sees(helenPage, amara, 'Before the crash')
    await expect(message(helenPage, amara, 'After the crash')).toHaveCount(1, { timeout: 30_000 })
    await helenPage.reload()
    await seeDashboard(helenPage)
    await openConversation(helenPage, amara)
    await sees(helenPage, amara, 'Before the crash')
    await sees(helenPage, amara, 'After the crash')
  },
)
