import { expect, test } from 'vitest'
import type { OwnKeys } from '@privity/contract/keys'
import type { UserMessage } from '../../src/transport/callError.ts'
import { replaceKeys } from '../support/keyRotation.ts'
import { collect, createStage, next, type Person, sentAll, type Stage, textOf, texts } from '../support/stage.ts'

/** Anna in another browser, to which the server returns the first epoch with a seed that does not decrypt. */
async function signInDamaged(stage: Stage, anna: Person): Promise<Person & { alarms: UserMessage[] }> {
  const tab = stage.tab()
  tab.network.tampers = (request, answer) => {
    if (request !== 'GET /api/keys') return answer
    const keys = answer as OwnKeys
    const other = keys.epochs.at(-1)?.wrappedSeed
    return { ...keys, epochs: keys.epochs.map((each) => (each.n === 1 ? { ...each, wrappedSeed: other } : each)) }
  }
  const alarms = collect(tab, 'alarm')
  await tab.client.account.signIn(anna)
  return { ...anna, ...tab, alarms }
}

test('an epoch whose seed does not decrypt locks nobody out: one alarm, and new epochs follow', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await ben.client.messages.send(connectionId, 'Before')
  await sentAll(ben)
  const told = next(ben, 'trust_changed')
  const elsewhere = await signInDamaged(stage, anna)
  await told
  await ben.client.messages.send(connectionId, 'After')
  await sentAll(ben)
  const lost = 'This message cannot be decrypted: the key of those hours has been destroyed.'
  expect((await elsewhere.client.messages.list(connectionId)).map(textOf)).toEqual([lost, 'After'])
  expect(await texts(anna, connectionId)).toEqual(['Before', 'After'])
  expect(elsewhere.alarms.map(({ code }) => code)).toEqual(['OWN_KEYS_DAMAGED'])
})

test('new keys can be made although an epoch has a seed that does not decrypt', async () => {
  await using stage = await createStage()
  const { anna } = await stage.pair()
  const elsewhere = await signInDamaged(stage, anna)
  await replaceKeys(elsewhere)
  const again = await stage.signIn(elsewhere)
  expect(again.client.account.state.get()).toMatchObject({ status: 'open' })
})
