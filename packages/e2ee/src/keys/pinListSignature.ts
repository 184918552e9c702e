import { fromBase64url, fromBase64urlOf, toBase64url } from '../encoding/base64url.ts'
import { integerBytes } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'
import { idBytes } from '../encoding/id.ts'
import { sha256 } from '../primitives/hash.ts'
import { sign } from '../primitives/signatures.ts'
import type { Identity } from './identity.ts'

/** Signs the encrypted pin list, so that a stolen session alone cannot replace it; base64url of 64 bytes. */
export async function signPinList(
  identity: Identity,
  { userId, version, sealed }: { userId: string; version: number; sealed: string },
): Promise<string> {
  const fields = [
    idBytes(userId),
    fromBase64urlOf(identity.publicKey, 32),
    integerBytes(version, 4),
    sha256(fromBase64url(sealed)),
  ]
  return toBase64url(await sign(identity.sign, encode('pins', fields)))
}
