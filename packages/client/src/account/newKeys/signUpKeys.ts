import type { NewKeys, OwnKeys } from '@privity/contract/keys'
import {
  type Bytes,
  createAccountKey,
  createEpoch,
  createIdentity,
  importAccountKey,
  importIdentity,
  newId,
  sealPrivate,
  wrapAccountKey,
} from '@privity/e2ee'
import { createRecoveryPair } from '@privity/e2ee/browserEntry'
import { createRecoveryKey, deriveRecovery, deriveRecoverySeed } from '@privity/e2ee/recoveryKey'
import { identityBinding, seedBinding } from '../../keys/aad.ts'
import { noPins, sealPins } from '../../trust/pinList.ts'

/**
 * Creates a new user's keys: the part that the server stores, the raw account key, and the recovery key, which is shown
 * once.
 */
export async function createSignUpKeys(
  wrapKey: CryptoKey,
  now: number,
): Promise<{ keys: NewKeys; raw: Bytes; recoveryKey: string }> {
  const userId = newId(now)
  const raw = createAccountKey()
  const accountKey = await importAccountKey(raw)
  const { seed: identitySeed } = await createIdentity()
  const identity = await importIdentity(identitySeed)
  const { epoch, seed } = await createEpoch({ identity, userId, n: 1, createdAt: now, startsAt: now })
  const { text: recoveryKey } = createRecoveryKey()
  const recovery = await deriveRecovery(recoveryKey)
  const keys: NewKeys = {
    userId,
    identityKey: identity.publicKey,
    wrappedIdentitySeed: await sealPrivate(accountKey, identityBinding(userId), identitySeed),
    wrappedAccountKey: await wrapAccountKey(wrapKey, raw, { userId, purpose: 'password' }),
    recoveryWrappedAccountKey: await wrapAccountKey(recovery.wrapKey, raw, { userId, purpose: 'recovery' }),
    recoveryProof: recovery.proof,
    recovery: await createRecoveryPair(identity, userId, await deriveRecoverySeed(recoveryKey)),
    epoch: { ...epoch, wrappedSeed: await sealPrivate(accountKey, seedBinding(userId, 1), seed) },
    pins: { version: 1, sealed: await sealPins(accountKey, userId, 1, noPins) },
  }
  return { keys, raw, recoveryKey }
}

/** Keys just made, as the server returns them. */
export const toOwnKeys = (keys: NewKeys): OwnKeys => ({
  ...keys,
  epochs: [keys.epoch],
  browsers: {
    mode: { onlyApproved: false, n: 0 },
    isModeRequired: false,
    isApproved: true,
    isPublicationDue: false,
    isListed: false,
    isBound: false,
    browsers: [],
    removed: [],
    recovery: keys.recovery,
  },
})
