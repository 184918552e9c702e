import type { EpochKey, NewEpoch } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { type AccountKey, type Bytes, createEpoch, type Identity, sealPrivate } from '@privity/e2ee'
import { seedBinding } from './aad.ts'

/**
 * Creates the epochs after `previous`, one after the other from `startsAt` until 7 days from `now`, with their seeds.
 * Each takes the page a millisecond or two, and none holds it up for longer.
 */
export async function createEpochs(options: {
  accountKey: AccountKey
  identity: Identity
  userId: string
  previous: EpochKey
  startsAt: number
  now: number
}): Promise<{ epoch: NewEpoch; seed: Bytes }[]> {
  const { accountKey, identity, userId, now } = options
  const made: { epoch: NewEpoch; seed: Bytes }[] = []
  let { previous, startsAt } = options
  while (startsAt + limits.epochDuration <= now + limits.epochsAhead * limits.epochDuration) {
    const n = previous.n + 1
    const { epoch, seed } = await createEpoch({ identity, userId, n, createdAt: now, startsAt, previous })
    made.push({ epoch: { ...epoch, wrappedSeed: await sealPrivate(accountKey, seedBinding(userId, n), seed) }, seed })
    previous = epoch
    startsAt = epoch.endsAt
  }
  return made
}
