import { destructionTime } from '@privity/contract/epochTimes'
import { AppError } from '@privity/contract/errors'
import type { Reader } from '../../core/database/types.ts'
import { type EpochUse, findEpochUse, isInUse } from '../keys/epochUse.ts'
import { getKeysOf } from '../keys/keys.ts'
import type { SendFacts } from './sendQueries.ts'

/** The epochs that an envelope names, and when they are used; undefined for one that does not exist. */
export interface EnvelopeEpochs {
  from: EpochUse | undefined
  to: EpochUse | undefined
  /** Whether the recipient has published none after it. */
  isLast: boolean
}

const useOf = (startsAt: number | null, endsAt: number | null, usedUntil: number | null): EpochUse | undefined =>
  startsAt === null || endsAt === null || usedUntil === null ? undefined : { startsAt, endsAt, usedUntil }

/** The epochs of an envelope that the server has stored. */
export const storedEpochs = (facts: SendFacts): EnvelopeEpochs => ({
  from: useOf(facts.from_starts, facts.from_ends, facts.from_until),
  to: useOf(facts.to_starts, facts.to_ends, facts.to_until),
  isLast: facts.epoch_to === facts.peer_newest,
})

interface Named {
  from: string
  to: string
  epochFrom: number
  epochTo: number
}

export async function selectEnvelopeEpochs(
  db: Reader,
  { from, to, epochFrom, epochTo }: Named,
  facts: SendFacts,
): Promise<EnvelopeEpochs> {
  const [ofSender, ofRecipient] = await Promise.all([findEpochUse(db, from, epochFrom), findEpochUse(db, to, epochTo)])
  return { from: ofSender, to: ofRecipient, isLast: epochTo === facts.peer_newest }
}

/**
 * Until when a message under these epochs may live, because then a key of it is destroyed; undefined if it is not their
 * time. The last epoch of a recipient who is away may be used until then.
 */
export function keyLifetime({ from, to, isLast }: EnvelopeEpochs, now: number): number | undefined {
  if (from === undefined || to === undefined || !isInUse(from, now)) return undefined
  const ends = [from, to].map(({ usedUntil }) => destructionTime({ endsAt: usedUntil }))
  const until = Math.min(...ends)
  return isInUse(to, now) || (isLast && now >= to.endsAt && now < until) ? until : undefined
}

/** As `keyLifetime`, but throws EPOCH_SUPERSEDED, with what a new envelope needs. */
export async function checkEpochs(
  db: Reader,
  epochs: EnvelopeEpochs,
  { from, to, now }: Pick<Named, 'from' | 'to'> & { now: number },
): Promise<number> {
  const lifetime = keyLifetime(epochs, now)
  if (lifetime !== undefined) return lifetime
  const [mine, peer] = await Promise.all([getKeysOf(db, from, now), getKeysOf(db, to, now)])
  throw new AppError('EPOCH_SUPERSEDED', { details: { epochFrom: mine.epoch.n, epochTo: peer.epoch.n, peer } })
}
