import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigError } from '../config/config.ts'
import { syncFolder } from '../dataFolder/syncDirectory.ts'

/** Keys from the server's secret, which the database does not hold. */
export interface Secrets {
  /** Derives a 32-byte key for one purpose. Cached as a KeyObject: an HMAC with raw bytes takes seven times as long. */
  derive(purpose: string): KeyObject
  /** Encrypts with AES-256-GCM under a key outside the database, so a stolen database alone allows no guessing. */
  sealAtRest(text: string): string
  openAtRest(sealed: string): string
  /** Replaces the derived key of a purpose by the one from before a rotation. */
  carry(purpose: string, key: Buffer): void
}

export const wrongSecret = () =>
  new ConfigError([
    "The server's secret is not the one this data folder or database was written with. Set SERVER_SECRET, or put " +
      'the file server-secret back, as it was: without it no account can be opened.',
  ])

/** Reads the secret from a file, which the first call creates. */
export function readOrCreate(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  // Written to another name and linked: a crash in between never leaves a truncated secret behind.
  const aside = `${path}.${randomBytes(6).toString('hex')}`
  const file = openSync(aside, 'wx', 0o600)
  writeSync(file, `${randomBytes(32).toString('base64url')}\n`)
  fsyncSync(file)
  closeSync(file)
  try {
    linkSync(aside, path)
  } finally {
    unlinkSync(aside)
  }
  // Synced before anything is encrypted with it: a power cut must not leave a database without its secret.
  syncFolder(dirname(path))
  return readFileSync(path, 'utf8').trim()
}

/** Creates the keys from SERVER_SECRET, or from the 0600 file `server-secret` in the data folder, created if absent. */
export function createSecrets(dataDir: string, given: string | undefined): Secrets {
  const root = given ?? readOrCreate(join(dataDir, 'server-secret'))
  const keys = new Map<string, KeyObject>()
  function derive(purpose: string): KeyObject {
    let key = keys.get(purpose)
    if (key === undefined) {
      key = createSecretKey(new Uint8Array(hkdfSync('sha256', root, '', `privity/server/${purpose}`, 32)))
      keys.set(purpose, key)
    }
    return key
  }

  const atRest = derive('at-rest')
  return {
    derive,
    carry: (purpose, key) => void keys.set(purpose, createSecretKey(key)),
    sealAtRest(text) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', atRest, iv)
      return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
    },
    openAtRest(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', atRest, bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
    },
  }
}
