import type { OwnKeys } from '@privity/contract/keys'
import { type AccountKey, type FormerIdentity, type Identity, importIdentity, openPrivate } from '@privity/e2ee'
import { identityBinding } from './aad.ts'

/** The bare seed: an identity that has taken the place of none. */
const seedBytes = 32

/** The user's identity, and those it has taken the place of, newest first. */
export interface OwnIdentity {
  identity: Identity
  former: readonly FormerIdentity[]
}

/** Throws an E2eeError where the account key is not the one it was sealed under. */
export async function openIdentity(accountKey: AccountKey, keys: OwnKeys): Promise<OwnIdentity> {
  const { userId, wrappedIdentitySeed } = keys
  const plain = await openPrivate(accountKey, identityBinding(userId), wrappedIdentitySeed)
  if (plain.length === seedBytes) return { identity: await importIdentity(plain), former: [] }
  const { seed, former } = (await import('@privity/e2ee/identityRecord')).readIdentity(plain)
  return { identity: await importIdentity(seed), former }
}

/** The identity key that signed the user's epoch `n`, and that envelopes and grants of that epoch name. */
export const identityKeyAt = ({ identity, former }: OwnIdentity, n: number): string =>
  former.findLast(({ lastEpoch }) => n <= lastEpoch)?.publicKey ?? identity.publicKey
