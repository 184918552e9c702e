import { toBase64url } from '../encoding/base64url.ts'
import { type Bytes, randomBytes } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'
import { idBytes } from '../encoding/id.ts'
import { sha256 } from '../primitives/hash.ts'

export function createFileKey(): Bytes {
  return randomBytes(32)
}

/** base64url of SHA-256. The file message carries it, so that a swapped key is detected. */
export async function hashFileKey(fileKey: Bytes): Promise<string> {
  return toBase64url(sha256(fileKey))
}

/** The `aad` of a file: its owner, and the message that carries it. */
export function fileBinding(file: { userId: string; messageId: string }): Bytes {
  return encode('file-body', [idBytes(file.userId), idBytes(file.messageId)])
}
