import type { OwnKeys } from '@privity/contract/keys'
import { type AccountKey, type FormerIdentity, type Identity, importIdentity, openPrivate } from '@privity/e2ee'
import { identityBinding } from './aad.ts'

/** Length of a bare seed: an identity without predecessors. */
const seedBytes = 32

/** The user's identity and the ones it replaced, newest first. */
export interface OwnIdentity {
  identity: Identity
  former: readonly FormerIdentity[]
}

/** Throws E2eeError if the account key is not the one it was encrypted under. */
export async function openIdentity(accountKey: AccountKey, keys: OwnKeys): Promise<OwnIdentity> {
  const { userId, wrappedIdentitySeed } = keys
  const plain = await openPrivate(accountKey, identityBinding(userId), wrappedIdentitySeed)
  if (plain.length === seedBytes) return { identity: await importIdentity(plain), former: [] }
  const { seed, former } = (await import('@privity/e2ee/identityRecord')).readIdentity(plain)
  return { identity: await importIdentity(seed), former }
}

/** The identity key that signed the user's epoch `n`; envelopes and grants of that epoch name it. */
export const identityKeyAt = ({ identity, former }: OwnIdentity, n: number): string =>
  former.findLast(({ lastEpoch }) => n <= lastEpoch)?.publicKey ?? identity.publicKey
