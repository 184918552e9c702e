import { expect, test } from 'vitest'
import { browserListed, keysFor } from '../support/browsers.ts'
import { createStage, meetContacts, sentAll, texts } from '../support/stage.ts'

test('a browser that resets the password with the recovery key is approved by it', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await browserListed(anna)
  await anna.client.browsers.setOnlyApproved(true)
  await ben.client.messages.send(connectionId, 'Before')
  await sentAll(ben)
  const { username } = anna.user
  const back = { ...anna, ...stage.tab() }
  const reset = { username, recoveryKey: anna.recoveryKey, newPassword: 'another password' }
  await back.client.account.resetPassword(reset)
  await meetContacts(back)
  expect((await keysFor(back)).browsers.isApproved).toBe(true)
  expect(await texts(back, connectionId)).toEqual(['Before'])
})

test('a browser that resets the password in the default mode seals nothing to itself', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await browserListed(anna)
  const { username } = anna.user
  const back = { ...anna, ...stage.tab() }
  const reset = { username, recoveryKey: anna.recoveryKey, newPassword: 'another password' }
  await back.client.account.resetPassword(reset)
  await browserListed(back)
  expect((await keysFor(back)).epochs.every(({ wrappedSeed, sealedSeed }) => wrappedSeed && !sealedSeed)).toBe(true)
})
