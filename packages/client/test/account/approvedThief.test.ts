import { limits, rateLimits } from '@privity/contract/limits'
import { expect, test } from 'vitest'
import { browserIdOf, browserListed, keysFor } from '../support/browsers.ts'
import { createImpostor } from '../support/impostor.ts'
import { replaceKeys } from '../support/keyRotation.ts'
import { createRecording, textsOfThief } from '../support/thief.ts'
import { createStage, meetContacts, next, sentAll, type Stage, texts } from '../support/stage.ts'

/** Ben with "Only approved browsers", and somebody with the password and altered software. */
async function begin(stage: Stage, { onlyApproved = true } = {}) {
  const { anna, ben, connectionId } = await stage.pair()
  await browserListed(ben)
  if (onlyApproved) await ben.client.browsers.setOnlyApproved(true)
  const thief = await stage.signIn(ben)
  await browserListed(thief)
  const approvedId = await browserIdOf(ben, ben)
  return { anna, ben, connectionId, thief, approvedId, impostor: await createImpostor(stage, thief, approvedId) }
}

test('a thief with the password publishes no more often for signing the mode again', async () => {
  await using stage = await createStage()
  const { impostor } = await begin(stage)
  const { requests } = rateLimits.publication
  let published = 0
  for (let times = 0; times <= requests; times++) {
    // Changes of the mode are limited too.
    stage.server.clock.advance(10_000)
    await impostor.signModeAgain()
    published += await impostor.publishAlone().then(
      () => 1,
      () => 0,
    )
  }
  expect(published).toBeLessThanOrEqual(requests)
})

test('a thief who publishes for nobody else is removed all the same, and is out', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, thief, impostor } = await begin(stage)
  await expect(
    (async () => {
      for (;;) {
        // All calls of a moment are limited too.
        stage.server.clock.advance(10_000)
        await impostor.publishAlone()
      }
    })(),
  ).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  for (const id of [impostor.listedId(), await browserIdOf(thief, ben)]) await ben.client.browsers.remove(id)
  await anna.client.trust.state(connectionId)
  await anna.client.messages.send(connectionId, 'After')
  await sentAll(anna)
  expect(await texts(ben, connectionId)).toEqual(['After'])
})

test('an epoch that only a thief holds keeps no member from new keys in the default mode', async () => {
  await using stage = await createStage()
  const { ben, impostor } = await begin(stage)
  await impostor.publishAlone()
  // Ben's browser publishes too, but has no seed of the thief's epoch to put under the account key.
  await ben.client.browsers.setOnlyApproved(true)
  await ben.client.browsers.setOnlyApproved(false)
  const before = (await keysFor(ben)).identityKey
  await replaceKeys(ben)
  expect((await keysFor(ben)).identityKey).not.toBe(before)
})

test('a browser that is not in the list when the mode is switched on is not approved by it', async () => {
  await using stage = await createStage()
  const { ben, impostor } = await begin(stage, { onlyApproved: false })
  const hidden = await impostor.listWithSeeds()
  for (let times = 0; times < limits.browsers; times++) {
    stage.server.clock.advance(1)
    await impostor.listWithSeeds()
  }
  await ben.client.browsers.setOnlyApproved(true)
  const { browsers } = await keysFor(ben)
  expect(browsers.browsers.map(({ browserId }) => browserId)).not.toContain(hidden.browserId)
  await impostor.listWithSeeds(hidden)
  await expect(impostor.remove()).rejects.toMatchObject({ code: 'BROWSER_NOT_APPROVED' })
})

test('a thief who lists ten browsers pushes no approved one out of the list', async () => {
  await using stage = await createStage()
  const { ben, impostor, approvedId } = await begin(stage)
  ben.client.close()
  for (let times = 0; times <= limits.browsers; times++) {
    stage.server.clock.advance(1)
    await impostor.listWithSeeds()
  }
  const listed = (await keysFor(ben)).browsers.browsers.map(({ browserId }) => browserId)
  expect(listed).toHaveLength(limits.browsers)
  expect(listed).toContain(approvedId)
})

test('with only approved browsers database, secret and password open no message', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await begin(stage)
  const recording = createRecording(connectionId)
  await anna.client.trust.state(connectionId)
  await anna.client.messages.send(connectionId, 'Before')
  await sentAll(anna)
  await recording.record(anna)
  expect(await texts(ben, connectionId)).toEqual(['Before'])
  expect(await textsOfThief(stage, ben, anna, recording)).toEqual([])
})

test('a thief who makes new keys takes the account over, and opens nothing from before', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, thief } = await begin(stage)
  await anna.client.messages.send(connectionId, 'Before')
  await sentAll(anna)
  const ended = next(ben, 'signed_out')
  await replaceKeys(thief)
  await ended
  await meetContacts(thief)
  expect(await texts(thief, connectionId)).toEqual([expect.stringMatching(/^This is from before you first used/)])
  const { username, recoveryKey } = ben
  const recovered = stage.tab().client.account.resetPassword({ username, recoveryKey, newPassword: 'another password' })
  await expect(recovered).rejects.toMatchObject({ code: 'RECOVERY_REFUSED' })
})
