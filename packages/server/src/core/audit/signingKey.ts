import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { ConfigError } from '../config/config.ts'
import type { Db, Reader } from '../database/types.ts'
import { auditKeySetting } from '../secrets/rotation.ts'
import { type Secrets, createWrongSecretError } from '../secrets/secrets.ts'

/** The Ed25519 key that signs heads and exports of the audit log. */
export interface AuditKey {
  /** 32 bytes in base64url. */
  publicKey: string
  sign(text: string): string
  verifies(text: string, signature: string): boolean
}

function open(secrets: Secrets, encrypted: string): KeyObject {
  try {
    return createPrivateKey({
      key: Buffer.from(secrets.decryptAtRest(encrypted), 'base64url'),
      format: 'der',
      type: 'pkcs8',
    })
  } catch {
    throw createWrongSecretError()
  }
}

/** Throws if the secret has been replaced since. */
export async function checkSecret(db: Reader, secrets: Secrets): Promise<void> {
  const encrypted = await storedKey(db)
  if (encrypted !== undefined) open(secrets, encrypted)
}

function toAuditKey(key: KeyObject): AuditKey {
  const publicKey = createPublicKey(key)
  return {
    publicKey: publicKey.export({ format: 'jwk' }).x as string,
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64url'),
    verifies: (text, signature) => verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64url')),
  }
}

/** Loads the key; the first start creates it and stores it in the database, encrypted with the server's secret. */
export async function loadAuditKey(db: Db, secrets: Secrets): Promise<AuditKey> {
  const stored = (await storedKey(db.read)) ?? (await createKey(db, secrets))
  return toAuditKey(open(secrets, stored))
}

async function storedKey(db: Reader): Promise<string | undefined> {
  return (await db.get<{ value: string }>('select value from settings where key = ?', [auditKeySetting]))?.value
}

/** If several processes start at once, all use the key stored first. A log with signed heads must have had a key. */
async function createKey(db: Db, secrets: Secrets): Promise<string> {
  if ((await db.read.get('select n from audit_heads limit 1')) !== undefined)
    throw new ConfigError(['The key that signs the audit log is gone from the database. Put a backup back.'])
  const { privateKey } = generateKeyPairSync('ed25519')
  const encrypted = secrets.encryptAtRest(privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'))
  return db.write(async (tx) => {
    const insert = 'insert into settings (key, value) values (?, ?) on conflict (key) do nothing'
    await tx.run(insert, [auditKeySetting, encrypted])
    return (await storedKey(tx)) ?? encrypted
  })
}
