import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'

/** A notice of another process; `n` is one more than that of the notice before it. */
export interface Heard {
  /** Identifies the process from its start to its end. */
  process: string
  n: number
  text: string
}

const idLength = 16
const headLength = idLength + 6
const tagLength = 16
const mostProcesses = 1_000

function keyOf(root: KeyObject, process: Buffer): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', root.export(), process, 'privity/notices', 32)))
}

/** A key encrypts the notices of one process only, so the sequence number serves as the nonce. */
function nonceOf(n: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(n, 6, 6)
  return nonce
}

/**
 * Encrypts with AES-256-GCM under a key that the processes of one deployment share: another client of the same Valkey
 * can neither read nor forge a notice. Layout: 16 bytes of process id, 6 of sequence number, ciphertext, 16 of tag.
 */
export function createSeal(root: KeyObject) {
  const id = randomBytes(idLength)
  const key = keyOf(root, id)
  let n = 0
  return {
    process: id.toString('hex'),
    last: () => n,
    /** Uses up a number, so that receivers of the next notice detect the gap. */
    leaveGap: () => void (n += 1),
    seal(text: string): Buffer {
      n += 1
      const nonce = nonceOf(n)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      return Buffer.concat([id, nonce.subarray(6), cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
  }
}

/** Decrypts notices; returns undefined for bytes that no process of this deployment has encrypted. */
export function createOpen(root: KeyObject): (bytes: Buffer) => Heard | undefined {
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
        // Cached after the first success only, and bounded: processes come and go while this one runs.
        if (keys.size >= mostProcesses) keys.clear()
        keys.set(process, key)
      }
      return { process, n, text: text.toString('utf8') }
    } catch {
      return undefined
    }
  }
}

/** Returns the sequence number in these bytes if they name this process as their sender. Not authenticated. */
export function numberIn(process: string, bytes: Buffer): number | undefined {
  const isOf = bytes.length >= headLength && bytes.toString('hex', 0, idLength) === process
  return isOf ? bytes.readUIntBE(idLength, 6) : undefined
}
