import { moderation } from '@privity/contract/founder/moderation'
import { readSealedMessage } from '@privity/contract/sealedMessage'
import { expect, test } from 'vitest'
import { createTestServer } from './harness.ts'
import { signInFounder } from './harnessFounder.ts'
import { random } from './harnessKeys.ts'
import { createTalk } from './harnessTalk.ts'

test('a receipt is the server’s own, over exactly these facts', async () => {
  await using server = await createTestServer()
  let founder = await signInFounder(server)
  const { anna, ben, send } = await createTalk(server)
  const { id: messageId, createdAt, receipt, content } = await send(anna)
  const commitment = Buffer.from(readSealedMessage(Buffer.from(content, 'base64url'))?.commitment ?? []).toString(
    'base64url',
  )
  const claim = { commitment, from: anna.user.id, to: ben.user.id, messageId, createdAt, receipt }
  const check = async (changes = {}) =>
    (await founder.call(moderation.checkReceipt, { body: { ...claim, ...changes } })).valid
  expect(await check()).toBe(true)
  for (const changes of [
    { commitment: random(32) },
    { from: ben.user.id, to: anna.user.id },
    { from: '01890000-0000-7000-8000-000000000000' },
    { to: '01890000-0000-7000-8000-000000000000' },
    { messageId: '01890000-0000-7000-8000-000000000000' },
    { createdAt: createdAt + 1 },
    { receipt: random(32) },
  ])
    expect(await check(changes), JSON.stringify(changes)).toBe(false)
  // It outlives the message: that is what a report needs it for.
  server.clock.advance(25 * 60 * 60_000)
  founder = await signInFounder(server)
  expect(await check()).toBe(true)
})
