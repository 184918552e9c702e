import { fromBase64urlOf, toBase64url } from '../encoding/base64url.ts'
import type { Bytes } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'
import { idBytes } from '../encoding/id.ts'
import { sign, verify } from '../primitives/signatures.ts'
import type { Identity } from './identity.ts'
import type { Participant } from './safetyNumber.ts'

/** A replaced identity key with its signature of the one after it; base64url of 32 and 64 bytes. */
export interface FormerKey {
  identityKey: string
  signature: string
}

const signedBytes = (former: string, next: Participant): Bytes =>
  encode('next-identity', [idBytes(next.userId), fromBase64urlOf(former, 32), fromBase64urlOf(next.identityKey, 32)])

/** The signature of `former` that `next` takes its place; base64url of 64 bytes. */
export const signNextIdentity = async (former: Identity, next: Participant): Promise<string> =>
  toBase64url(await sign(former.sign, signedBytes(former.publicKey, next)))

/**
 * Whether the accepted key signed the one after it, that one the next, and so on until `current`. `former`: the keys
 * before `current`, newest first. A signature that is missing, of another form or another key's makes it false.
 */
export async function isConfirmedByFormer(
  accepted: string,
  current: Participant,
  former: readonly FormerKey[],
): Promise<boolean> {
  const { userId } = current
  let next = current.identityKey
  for (const { identityKey, signature } of former) {
    const isSigned = await verifyNextIdentity(identityKey, signature, { userId, identityKey: next })
    if (!isSigned) return false
    if (identityKey === accepted) return true
    next = identityKey
  }
  return false
}

const verifyNextIdentity = async (former: string, signature: string, next: Participant): Promise<boolean> => {
  try {
    await verify(former, fromBase64urlOf(signature, 64), signedBytes(former, next))
    return true
  } catch {
    return false
  }
}
