import { toBase64url } from '../encoding/base64url.ts'
import { type Bytes, concat, integerBytes } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'
import { sha256 } from '../primitives/hash.ts'

const blockBytes = 1024 * 1024

/** The hash of a ciphertext, piece by piece. Wait for each `update` before the next; `digest` ends it. */
export interface Hasher {
  update(bytes: Uint8Array): Promise<void>
  /** base64url of 32 bytes */
  digest(): Promise<string>
}

/**
 * SHA-256 over the total length and the SHA-256 of each MiB: the same for any way the bytes are cut into pieces.
 * By blocks because WebCrypto then hashes them beside the encryption, at several times the speed of a running hash.
 */
export function createHasher(): Hasher {
  const block = new Uint8Array(blockBytes)
  const digests: Promise<ArrayBuffer>[] = []
  let filled = 0
  let total = 0

  // WebCrypto copies its input at once, so the block can be reused.
  const endBlock = () => {
    digests.push(crypto.subtle.digest('SHA-256', block.subarray(0, filled)))
    filled = 0
  }

  return {
    async update(bytes) {
      total += bytes.length
      for (let offset = 0; offset < bytes.length;) {
        const taken = Math.min(blockBytes - filled, bytes.length - offset)
        block.set(bytes.subarray(offset, offset + taken), filled)
        filled += taken
        offset += taken
        if (filled === blockBytes) endBlock()
      }
      // At most one block is hashed in the background.
      await digests.at(-2)
    },
    async digest() {
      if (filled > 0) endBlock()
      const parts: Bytes[] = (await Promise.all(digests)).map((digest) => new Uint8Array(digest))
      return toBase64url(sha256(encode('file-hash', [integerBytes(total, 8), concat(...parts)])))
    },
  }
}
