import { toBase64url } from '../encoding/base64url.ts'
import { type Bytes, randomBytes } from '../encoding/bytes.ts'
import { sha256 } from '../primitives/hash.ts'

export function createFileKey(): Bytes {
  return randomBytes(32)
}

/** base64url of SHA-256: what the file message carries, so that a swapped key is detected. */
export async function hashFileKey(fileKey: Bytes): Promise<string> {
  return toBase64url(sha256(fileKey))
}
