import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError } from '../config/config.ts'
import { syncPath } from '../dataFolder/dataFolder.ts'

/** Keys from the server's secret, which the database does not hold. */
export interface Secrets {
  /** Derives a 32-byte key for one purpose. Cached as a KeyObject: an HMAC with raw bytes takes seven times as long. */
  derive(purpose: string): KeyObject
  /** Encrypts with AES-256-GCM under a key outside the database: a stolen database alone allows no guessing. */
  encryptAtRest(text: string): string
  decryptAtRest(encrypted: string): string
  /** Replaces the derived key of a purpose by the one from before a rotation. */
  replaceKey(purpose: string, key: Buffer): void
}

export const secretPath = (dataDir: string): string => join(dataDir, 'server-secret')

export const createWrongSecretError = () =>
  new ConfigError([
    "The server's secret is not the one this data folder or database was written with. Set SERVER_SECRET, or put " +
      'the file server-secret back, as it was: without it no account can be opened.',
  ])

/** Reads the secret from a file, which the first call creates. */
export async function readOrCreateSecret(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  // Written to another name and linked: a crash in between never leaves a truncated secret behind.
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(temporary, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  await syncPath(temporary)
  try {
    await link(temporary, path)
  } finally {
    await unlink(temporary)
  }
  // Synced before anything is encrypted with it: a power cut must not leave a database without its secret.
  await syncPath(dirname(path))
  return (await readFile(path, 'utf8')).trim()
}

/** Loads the keys from SERVER_SECRET, or from the 0600 file `server-secret` in the data folder, created if absent. */
export async function loadSecrets(dataDir: string, configured: string | undefined): Promise<Secrets> {
  return createSecrets(configured ?? (await readOrCreateSecret(secretPath(dataDir))))
}

export function createSecrets(root: string): Secrets {
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
    replaceKey: (purpose, key) => void keys.set(purpose, createSecretKey(key)),
    encryptAtRest(text) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', atRest, iv)
      return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
    },
    decryptAtRest(encrypted) {
      const bytes = Buffer.from(encrypted, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', atRest, bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
    },
  }
}
