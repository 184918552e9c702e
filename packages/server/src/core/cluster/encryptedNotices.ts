import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'

/** A decrypted notice; `n` is its sequence number. */
export interface ReceivedNotice {
  /** The sender. A process gets a new id at each start. */
  process: string
  n: number
  text: string
}

const idLength = 16
const headLength = idLength + 6
const tagLength = 16
const maxCachedKeys = 1_000

function keyOf(root: KeyObject, process: Buffer): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', root.export(), process, 'privity/notices', 32)))
}

/** Each process has its own key, so the sequence number serves as the nonce. */
function nonceOf(n: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(n, 6, 6)
  return nonce
}

/**
 * Encrypts with AES-256-GCM under this process's own key, derived from `root`, which only the processes of one
 * deployment have: another client of the same Valkey can neither read nor forge a notice. Layout: 16 bytes of process
 * id, 6 of sequence number, ciphertext, 16 of tag.
 */
export function createNoticeEncryption(root: KeyObject) {
  const id = randomBytes(idLength)
  const key = keyOf(root, id)
  let n = 0
  return {
    process: id.toString('hex'),
    last: () => n,
    /** Skips a sequence number, so that receivers of the next notice detect a gap. */
    leaveGap: () => void (n += 1),
    encrypt(text: string): Buffer {
      n += 1
      const nonce = nonceOf(n)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      return Buffer.concat([id, nonce.subarray(6), cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
  }
}

/** Returns a function that decrypts notices; undefined for bytes from outside of this deployment. */
export function createNoticeDecryption(root: KeyObject): (bytes: Buffer) => ReceivedNotice | undefined {
  const keys = new Map<string, KeyObject>()
  return (bytes) => {
    if (bytes.length < headLength + tagLength) return undefined
    const process = bytes.toString('hex', 0, idLength)
    const key = keys.get(process) ?? keyOf(root, bytes.subarray(0, idLength))
    const n = bytes.readUIntBE(idLength, 6)
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(n))
    decipher.setAuthTag(bytes.subarray(-tagLength))
    try {
      const text = decipher.update(bytes.subarray(headLength, -tagLength))
      decipher.final()
      if (!keys.has(process)) {
        // Cached only after a success, and bounded, because processes come and go.
        if (keys.size >= maxCachedKeys) keys.clear()
        keys.set(process, key)
      }
      return { process, n, text: text.toString('utf8') }
    } catch {
      return undefined
    }
  }
}

/** Returns the sequence number of a notice if it names `process` as its sender. Authenticates nothing. */
export function readSequenceNumber(process: string, bytes: Buffer): number | undefined {
  const isFromProcess = bytes.length >= headLength && bytes.toString('hex', 0, idLength) === process
  return isFromProcess ? bytes.readUIntBE(idLength, 6) : undefined
}
