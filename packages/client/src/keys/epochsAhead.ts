import type { EpochKey } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { type Bytes, createEpoch, type Identity } from '@privity/e2ee'

/**
 * Creates the epochs after `previous`, one after the other from `startsAt` until 7 days from `now`, with their seeds.
 * Each takes the page a millisecond or two, and none holds it up for longer.
 */
export async function createEpochs(options: {
  identity: Identity
  userId: string
  previous: EpochKey
  startsAt: number
  now: number
}): Promise<{ epoch: EpochKey; seed: Bytes }[]> {
  const { identity, userId, now } = options
  const made: { epoch: EpochKey; seed: Bytes }[] = []
  let { previous, startsAt } = options
  while (startsAt + limits.epochDuration <= now + limits.epochsAhead * limits.epochDuration) {
    const n = previous.n + 1
    const { epoch, seed } = await createEpoch({ identity, userId, n, createdAt: now, startsAt, previous })
    made.push({ epoch, seed })
    previous = epoch
    startsAt = epoch.endsAt
  }
  return made
}
