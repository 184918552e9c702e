import type { OwnKeys } from '@privity/contract/keys'
import {
  type AccountKey,
  type FormerIdentity,
  type Identity,
  importIdentity,
  openPrivate,
  readIdentity,
} from '@privity/e2ee'
import { identityBinding } from './bindings.ts'

/** The user's identity, and those it has taken the place of, newest first. */
export interface OwnIdentity {
  identity: Identity
  former: readonly FormerIdentity[]
}

/** Throws an E2eeError where the account key is not the one it was sealed under. */
export async function openIdentity(accountKey: AccountKey, keys: OwnKeys): Promise<OwnIdentity> {
  const { userId, wrappedIdentitySeed } = keys
  const { seed, former } = readIdentity(await openPrivate(accountKey, identityBinding(userId), wrappedIdentitySeed))
  return { identity: await importIdentity(seed), former }
}

/** The identity key that signed the user's epoch `n`, and that envelopes and grants of that epoch name. */
export const identityKeyAt = ({ identity, former }: OwnIdentity, n: number): string =>
  former.findLast(({ lastEpoch }) => n <= lastEpoch)?.publicKey ?? identity.publicKey
