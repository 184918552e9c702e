import type { Bytes } from '../encoding/bytes.ts'
import { deriveBytes, deriveInfo, deriveSealingKey, importSecret } from '../primitives/derive.ts'

// An epoch's seed is 32 random bytes, the one secret of its time. Every key of the epoch is derived from it, each under
// a label of its own, so that none tells anything of another, and all are destroyed with it.

/** The X-Wing private key, to which envelopes and grants are sealed. */
export const deriveEpochKey = async (seed: Bytes): Promise<Bytes> =>
  deriveBytes(await importSecret(seed), deriveInfo('epoch-key'))

/** Seals what the owner of a file keeps on the server for themselves. */
export const deriveOwnerKey = async (seed: Bytes): Promise<CryptoKey> =>
  deriveSealingKey(await importSecret(seed), deriveInfo('owner-key'))
