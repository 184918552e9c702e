import {
  createEnvelope,
  createEpoch,
  createIdentity,
  type EpochKey,
  importIdentity,
  type MessageContext,
  newId,
} from '../../src/index.ts'

export const now = Date.UTC(2030, 0, 31, 12)

/** The context of the first message of a conversation. */
export const first: MessageContext = {
  sentAt: now,
  n: 1,
  lifetime: 24 * 60 * 60 * 1000,
  previous: undefined,
  otherPrevious: undefined,
  seen: undefined,
}

/** Somebody with an identity and a first epoch. */
export async function createPerson() {
  const userId = newId(now)
  const { seed: identitySeed } = await createIdentity()
  const identity = await importIdentity(identitySeed)
  const { epoch, seed } = await createEpoch({ identity, userId, n: 1, createdAt: now, startsAt: now })
  return { userId, identity, identityKey: identity.publicKey, epoch, seed }
}
export type Person = Awaited<ReturnType<typeof createPerson>>

export async function nextEpoch({ identity, userId }: Person, previous: EpochKey) {
  const times = { createdAt: previous.createdAt + 1, startsAt: previous.endsAt }
  return createEpoch({ identity, userId, n: previous.n + 1, ...times, previous })
}

/** An envelope from the one to the other. */
export async function createConversation(sender: Person, recipient: Person, connectionId = newId(now)) {
  return createEnvelope({ id: newId(now), connectionId, sender, recipient })
}
