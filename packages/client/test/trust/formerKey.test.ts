import { expect, test } from 'vitest'
import type { ContactKeys } from '@privity/contract/keys'
import { createEpoch, createIdentity, importIdentity } from '@privity/e2ee'
import { accept, markVerified, replaceKeys } from '../support/keyRotation.ts'
import { createStage, reconnected, sentAll } from '../support/stage.ts'

const isKeys = (request: string) => /^GET \/api\/connections\/[^/]+\/keys$/.test(request)

test('a replaced key is confirmed by the former one, also over several, and never verified', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await markVerified(ben, connectionId)
  const stateFor = (person: typeof ben) => person.client.trust.state(connectionId)
  expect(await stateFor(ben)).toMatchObject({ state: 'verified', confirmedByFormer: false })
  await replaceKeys(anna)
  expect(await stateFor(ben)).toMatchObject({ state: 'changed', confirmedByFormer: true })
  await replaceKeys(anna, 'another new password')
  expect(await stateFor(ben)).toMatchObject({ state: 'changed', confirmedByFormer: true })
  await accept(ben, connectionId)
  expect(await stateFor(ben)).toMatchObject({ state: 'unverified', confirmedByFormer: false })
})

test('a key that the server made is not confirmed, whatever signatures it returns with it', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await ben.client.trust.state(connectionId)
  await replaceKeys(anna)
  const identity = await importIdentity((await createIdentity()).seed)
  const now = stage.server.clock.now()
  const { epoch } = await createEpoch({ identity, userId: anna.user.id, n: 1, createdAt: now, startsAt: now })
  ben.network.tampers = (request, answer) =>
    isKeys(request) ? { ...(answer as ContactKeys), identityKey: identity.publicKey, epoch } : answer
  expect(await ben.client.trust.state(connectionId)).toMatchObject({ state: 'changed', confirmedByFormer: false })
  ben.network.tampers = (request, answer) => (isKeys(request) ? { ...(answer as ContactKeys), former: [] } : answer)
  expect(await ben.client.trust.state(connectionId)).toMatchObject({ state: 'changed', confirmedByFormer: false })
})

test('a message from before the first accepted key is not called a forgery', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  anna.network.offline = true
  await ben.client.messages.send(connectionId, 'Before Anna has seen a key')
  await sentAll(ben)
  await replaceKeys(ben)
  await stage.advance(1_000)
  anna.network.offline = false
  await reconnected(stage, anna)
  expect((await anna.client.trust.state(connectionId)).state).toBe('unverified')
  const [message] = await anna.client.messages.list(connectionId)
  expect(message?.body).toMatchObject({ kind: 'unreadable', reason: { code: 'MESSAGE_BETWEEN_KEYS' } })
})
