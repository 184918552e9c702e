import { fileIdOf } from '@privity/contract/fileRef'
import { keys as contract, type OwnKeys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { type Message, messages } from '@privity/contract/messages'
import { createEpoch, type EpochKey, openForOwner, randomBytes, sealPrivate } from '@privity/e2ee'
import { sealSeed } from '@privity/e2ee/browserEntry'
import { expect, test } from 'vitest'
import { seedBinding } from '../../src/keys/aad.ts'
import { openIdentity } from '../../src/keys/ownIdentity.ts'
import { accountKeyOf } from '../support/accountKey.ts'
import { browserIdOf, browserListed, keysFor } from '../support/browsers.ts'
import { share } from '../support/fileSharing.ts'
import { collect, connected, createStage, sentAll, texts } from '../support/stage.ts'

test.each([false, true])(
  'a server that chooses the seed of an own epoch opens no file key (only approved: %s)',
  async (onlyApproved) => {
    await using stage = await createStage()
    const { anna, ben, connectionId } = await stage.pair()
    await browserListed(anna)
    if (onlyApproved) await anna.client.browsers.setOnlyApproved(true)
    // The server knows the public key of Anna's browser from its list, and nothing else.
    const browserId = await browserIdOf(anna, anna)
    const { epochs, browsers: list } = await keysFor(anna)
    const kemKey = list.browsers.find((each) => each.browserId === browserId)?.kemKey ?? ''
    const [chosen, userId] = [randomBytes(32), anna.user.id]
    const sealed = new Map<number, string>()
    for (const { n } of epochs) sealed.set(n, await sealSeed(kemKey, { userId, n, browserId }, chosen))
    const tab = { ...anna, ...stage.tab(anna) }
    const alarms = collect(tab, 'alarm')
    tab.network.tampers = (request, answer) => {
      if (request !== 'GET /api/keys') return answer
      const keys = answer as OwnKeys
      return {
        ...keys,
        epochs: keys.epochs.map((epoch) =>
          sealed.has(epoch.n) ? { ...epoch, wrappedSeed: undefined, sealedSeed: sealed.get(epoch.n) } : epoch,
        ),
      }
    }
    await tab.client.account.start()
    await connected(tab)
    expect(alarms.map(({ code }) => code)).toContain('OWN_KEYS_DAMAGED')
    await share(tab, ben, connectionId, new File([new Uint8Array(100)], 'secret.txt'))
    const stored = await anna.client.call(messages.list, { params: { id: connectionId }, query: {} })
    const { filePath = '', fileKey = '', envelope } = stored.at(-1) ?? ({} as Partial<Message>)
    const binding = { connectionId, recipientId: ben.user.id, fileId: fileIdOf(filePath) ?? '', purpose: 'file-key' }
    const opening = openForOwner({ seed: chosen, userId, epoch: envelope?.epochFrom, ...binding } as never, fileKey)
    await expect(opening).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' })
  },
)

test('epochs whose seeds are others than their keys are replaced by new ones, with an alarm', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await browserListed(anna)
  const accountKey = await accountKeyOf(anna)
  const own = await keysFor(anna)
  const { identity } = await openIdentity(accountKey, own)
  const alarms = collect(anna, 'alarm')
  const [userId, now] = [anna.user.id, stage.server.clock.now()]
  let previous: EpochKey = own.epochs.at(-1) as EpochKey
  const epochs: (EpochKey & { wrappedSeed: string })[] = []
  for (let at = 0; at < limits.epochsAhead; at++) {
    const startsAt = now + at * limits.epochDuration
    const { epoch } = await createEpoch({ identity, userId, n: previous.n + 1, createdAt: now, startsAt, previous })
    const wrappedSeed = await sealPrivate(accountKey, seedBinding(userId, epoch.n), randomBytes(32))
    epochs.push({ ...epoch, wrappedSeed })
    previous = epoch
  }
  await anna.client.call(contract.publishEpochs, { body: { epochs } })
  await expect
    .poll(async () => {
      await stage.advance(60_000)
      return (await keysFor(anna)).epochs.at(-1)?.n
    })
    .toBeGreaterThan(previous.n)
  expect(alarms.map(({ code }) => code)).toContain('OWN_KEYS_DAMAGED')
  await ben.client.messages.send(connectionId, 'After')
  await sentAll(ben)
  expect(await texts(anna, connectionId)).toEqual(['After'])
})
