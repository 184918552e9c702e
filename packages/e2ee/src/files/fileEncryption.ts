import { type Bytes, concat, integerBytes, randomBytes } from '../encoding/bytes.ts'
import { E2eeError } from '../errors.ts'
import { type ByteSource, type Piece, readPieces } from './pieces.ts'
import { tagBytes } from '../primitives/aead.ts'

/**
 * Tink streaming AEAD, AES256-GCM-HKDF-1MB: a 40-byte header {40, salt 32, nonce prefix 7}, then segments of
 * 1 MiB (the header counts into the first), each AES-256-GCM with nonce = prefix || number (4) || last (1).
 */
const segmentBytes = 1024 * 1024
const saltBytes = 32
const prefixBytes = 7
const headerBytes = 1 + saltBytes + prefixBytes

async function segmentKey(fileKey: Bytes, salt: Bytes, aad: Bytes, usage: 'encrypt' | 'decrypt'): Promise<CryptoKey> {
  if (fileKey.length !== 32) throw new E2eeError('MALFORMED', 'A file key has 32 bytes.')
  const secret = await crypto.subtle.importKey('raw', fileKey, 'HKDF', false, ['deriveKey'])
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt, info: aad }
  return crypto.subtle.deriveKey(parameters, secret, { name: 'AES-GCM', length: 256 }, false, [usage])
}

const parametersOf = (prefix: Bytes, segment: number, last: boolean) => ({
  name: 'AES-GCM',
  iv: concat(prefix, integerBytes(segment, 4), [last ? 1 : 0]),
})

/**
 * Processes one piece while the consumer uses the result of the one before, and never two at once: a browser takes
 * longer for two and uses more memory. `work` must copy its input at once.
 */
async function* ahead(
  pieces: AsyncIterable<Piece>,
  work: (piece: Piece) => Promise<ArrayBuffer>,
): AsyncGenerator<Bytes, void> {
  let pending: Promise<ArrayBuffer> | undefined
  for await (const piece of pieces) {
    const done = await pending
    pending = work(piece)
    // A consumer that leaves early never awaits this one.
    pending.catch(() => {})
    if (done) yield new Uint8Array(done)
  }
  if (pending) yield new Uint8Array(await pending)
}

/**
 * Yields the header, then one segment at a time; the next is encrypted while the consumer uses the one before, and no
 * more is held. `plaintext` may come in chunks of any size.
 */
export async function* encryptFile(fileKey: Bytes, plaintext: ByteSource, aad: Bytes): AsyncGenerator<Bytes, void> {
  const salt = randomBytes(saltBytes)
  const prefix = randomBytes(prefixBytes)
  const key = await segmentKey(fileKey, salt, aad, 'encrypt')
  yield concat([headerBytes], salt, prefix)
  const plainBytes = (index: number) => segmentBytes - tagBytes - (index === 0 ? headerBytes : 0)
  yield* ahead(readPieces(plaintext, plainBytes), ({ bytes, index, last }) =>
    crypto.subtle.encrypt(parametersOf(prefix, index, last), key, bytes),
  )
}

const truncated = () => new E2eeError('TRUNCATED', 'The file ends before its last part.')

/**
 * Yields the plaintext, one verified segment at a time. The file may be truncated until the generator ends: hand
 * nothing on before. Throws MALFORMED, AUTHENTICATION_FAILED or TRUNCATED.
 */
export async function* decryptFile(fileKey: Bytes, ciphertext: ByteSource, aad: Bytes): AsyncGenerator<Bytes, void> {
  const sizes = [headerBytes, segmentBytes - headerBytes]
  const pieces = readPieces(ciphertext, (index) => sizes[index] ?? segmentBytes)
  try {
    const first = await pieces.next()
    if (first.done || first.value.last) throw truncated()
    const header = first.value.bytes.slice()
    if (header[0] !== headerBytes) throw new E2eeError('MALFORMED', 'This is not an encrypted file.')
    const key = await segmentKey(fileKey, header.subarray(1, 1 + saltBytes), aad, 'decrypt')
    const prefix = header.subarray(1 + saltBytes)
    yield* ahead(pieces, (piece) => openSegment(key, prefix, piece))
  } finally {
    await pieces.return()
  }
}

/** Decrypts a segment. Piece 0 is the header, so segment 0 is piece 1. */
async function openSegment(key: CryptoKey, prefix: Bytes, { bytes, index, last }: Piece): Promise<ArrayBuffer> {
  const segment = index - 1
  try {
    return await crypto.subtle.decrypt(parametersOf(prefix, segment, last), key, bytes)
  } catch (cause) {
    if (last && (await opens(key, prefix, segment, bytes))) throw truncated()
    throw new E2eeError('AUTHENTICATION_FAILED', 'The file was altered, or this is not its key.', { cause })
  }
}

/** Whether the final piece decrypts as a segment that is not the last: then the file was truncated. */
async function opens(key: CryptoKey, prefix: Bytes, segment: number, sealed: Bytes): Promise<boolean> {
  return crypto.subtle.decrypt(parametersOf(prefix, segment, false), key, sealed).then(
    () => true,
    () => false,
  )
}
