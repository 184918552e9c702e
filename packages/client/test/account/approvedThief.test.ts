import { rateLimits } from '@privity/contract/limits'
import { expect, test } from 'vitest'
import { browserIdOf, browserListed } from '../support/browsers.ts'
import { createImpostor } from '../support/impostor.ts'
import { createStage, sentAll, type Stage, texts } from '../support/stage.ts'

/** Ben with "Only approved browsers", and somebody with the password and altered software. */
async function begin(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  await browserListed(ben)
  await ben.client.browsers.setOnlyApproved(true)
  const thief = await stage.signIn(ben)
  await browserListed(thief)
  const impostor = await createImpostor(stage, thief, await browserIdOf(ben, ben))
  return { anna, ben, connectionId, thief, impostor }
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
      for (;;) await impostor.publishAlone()
    })(),
  ).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  for (const id of [impostor.listedId(), await browserIdOf(thief, ben)]) await ben.client.browsers.remove(id)
  await anna.client.trust.state(connectionId)
  await anna.client.messages.send(connectionId, 'After')
  await sentAll(anna)
  expect(await texts(ben, connectionId)).toEqual(['After'])
})
