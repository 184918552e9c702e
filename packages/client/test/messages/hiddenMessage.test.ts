import type { Message } from '@privity/contract/messages'
import { expect, test } from 'vitest'
import { collect, createStage, next, type Person, sentAll, textOf } from '../support/stage.ts'

test('a message that the server calls expired although it lives is missing', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const send = async (from: Person, text: string) => {
    await from.client.messages.send(connectionId, text)
    await sentAll(from)
  }
  await send(anna, 'Before')
  await ben.client.messages.list(connectionId)
  await stage.advance(3 * 60_000)
  await ben.client.messages.list(connectionId)
  ben.network.swallows = true
  const alarms = collect(ben, 'alarm')
  await send(anna, 'Hidden')
  const hidden = (await anna.client.messages.list(connectionId)).find((each) => textOf(each) === 'Hidden')
  await send(anna, 'After')
  ben.network.tampers = (request, answer) =>
    request.startsWith(`GET /api/connections/${connectionId}/messages`)
      ? (answer as Message[]).map((each) => (each.id === hidden?.id ? { ...each, expiresAt: 1 } : each))
      : answer
  const marked = next(ben, 'order_changed')
  await ben.client.messages.list(connectionId)
  await marked
  const shown = await ben.client.messages.list(connectionId)
  expect(shown.map((each) => [textOf(each), each.isMissingBefore])).toEqual([
    ['Before', undefined],
    ['After', true],
  ])
  expect(alarms).toMatchObject([{ code: 'MESSAGE_MISSING' }])
})
