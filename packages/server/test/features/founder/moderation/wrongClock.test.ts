import { expect, test } from 'vitest'
import { scanMessages } from '../../../../src/features/founder/moderation/scan.ts'
import { floodOf } from '../../../support/founder/moderation.ts'
import { createTestServer } from '../../../support/server/testServer.ts'
import { createTalk } from '../../../support/scenes/conversation.ts'

test('a scan while the clock was ahead keeps none of now from finding anything', async () => {
  await using server = await createTestServer()
  const scan = () => scanMessages(server.core, { address: '' })
  server.clock.ahead = 60 * 24 * 60 * 60_000
  expect(await scan()).toBe(0)
  server.clock.ahead = 0
  await floodOf(server, await createTalk(server), 20)
  server.clock.advance(5 * 60_000)
  expect(await scan()).toBe(1)
})
