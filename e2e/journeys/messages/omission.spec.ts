import type { Page, WebSocketRoute } from '@playwright/test'
import { toast } from '../../support/members/account.ts'
import {
  connectionRow,
  conversation,
  message,
  openConversation,
  sees,
  send,
} from '../../support/members/conversation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'

interface Held {
  /** The message with this number does not reach the page. */
  seq: number
  release(): void
}

const seqOf = (frame: string) => (JSON.parse(frame) as { message?: { seq: number } }).message?.seq

/** Stands for a server that leaves a message out of its notices and lists, until it is released. */
async function holdBack(page: Page, seq: number): Promise<Held> {
  let frame: string | undefined
  let socket: WebSocketRoute | undefined
  const held: Held = {
    seq,
    release() {
      held.seq = 0
      socket?.send(frame ?? '')
    },
  }
  await page.routeWebSocket(/.*/, (route) => {
    socket = route
    const server = route.connectToServer()
    server.onMessage((data) => {
      if (seqOf(String(data)) === held.seq) frame = String(data)
      else route.send(data)
    })
  })
  await page.route(lists, async (route) => {
    const response = await route.fetch()
    const messages = (await response.json()) as { seq: number }[]
    await route.fulfill({ response, json: messages.filter((each) => each.seq !== held.seq) })
  })
  return held
}

const lists = /\/api\/connections\/[^/]+\/messages(\?.*)?$/

test('a message that the server leaves out is marked as missing, and as late when it comes', async ({
  pair: { amaraPage, helenPage },
}) => {
  const held = await holdBack(helenPage, 2)
  await helenPage.reload()
  await openConversation(helenPage, amara)
  await send(amaraPage, helen, 'First')
  await sees(helenPage, amara, 'First')
  await send(amaraPage, helen, 'Second')
  await send(amaraPage, helen, 'Third')
  await sees(helenPage, amara, 'Third')

  const missing = conversation(helenPage, amara).getByText('A message is missing here')
  await expect(missing).toBeVisible()
  await expect(toast(helenPage, 'Security warning')).toBeVisible()
  await expect(message(helenPage, amara, 'Second')).toHaveCount(0)

  held.release()
  await expect(missing).toBeHidden()
  await sees(helenPage, amara, 'Second')
  await expect(conversation(helenPage, amara).getByText('Arrived late')).toBeVisible()
  // At once: the next poll of the counts would clear a badge that should never have been there.
  await expect(connectionRow(helenPage, amara)).not.toContainText('unread', { timeout: 1_000 })
  const order = (await conversation(helenPage, amara).textContent()) ?? ''
  expect(order).toMatch(/First.*Second.*Third/s)
})

test('a conversation shows that the server refuses to list it, and is complete afterwards', async ({
  pair: { amaraPage, helenPage },
  expectComplaint,
}) => {
  expectComplaint(/503/)
  const held = await holdBack(helenPage, 2)
  await helenPage.reload()
  await openConversation(helenPage, amara)
  await send(amaraPage, helen, 'First')
  await sees(helenPage, amara, 'First')

  await helenPage.route(lists, (route) => route.fulfill({ status: 503 }))
  await send(amaraPage, helen, 'Second')
  await send(amaraPage, helen, 'Third')
  const refused = helenPage.getByRole('alert').filter({ hasText: 'The newest messages could not be loaded.' })
  await expect(refused).toBeVisible()
  await send(amaraPage, helen, 'Fourth')
  await sees(helenPage, amara, 'Fourth')
  await expect(refused).toBeVisible()
  await expect(message(helenPage, amara, 'Second')).toHaveCount(0)

  await helenPage.unroute(lists)
  held.seq = 0
  await refused.getByRole('button', { name: 'Try again' }).click()
  await expect(refused).toBeHidden()
  await expect(message(helenPage, amara, 'Second')).toHaveCount(1)
})
