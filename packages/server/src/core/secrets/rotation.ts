import { existsSync, readFileSync, renameSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { auditKeySetting, wrongSecret } from '../audit/signingKey.ts'
import type { Db } from '../database/types.ts'
import { createSecrets, type Secrets } from './secrets.ts'
import { syncFolder } from '../dataFolder/syncDirectory.ts'

/** What was made with a key and cannot be made again without somebody's password or codes: these keys outlive a rotation. */
const carriedPurposes = ['password-pepper', 'recovery-proof', 'recovery-codes'] as const
const setting = 'carried_keys'

const current = (dataDir: string) => join(dataDir, 'server-secret')

/** The secret that a rotation is about to put in place. */
export const nextSecret = (dataDir: string) => join(dataDir, 'server-secret.next')

/** Puts the new secret in place of the old: the last step, once the database is sealed with it. */
export function finishRotation(dataDir: string): void {
  renameSync(nextSecret(dataDir), current(dataDir))
  syncFolder(dataDir)
}

function opens(secrets: Secrets, sealed: string): boolean {
  try {
    secrets.openAtRest(sealed)
    return true
  } catch {
    return false
  }
}

/** After a rotation that was cut off: the secret that opens what the database holds is the one. */
export async function settleRotation(dataDir: string, db: Db): Promise<void> {
  const next = nextSecret(dataDir)
  if (!existsSync(next)) return
  const sealed = await db.read.get<{ value: string }>('select value from settings where key = ?', [auditKeySetting])
  const secrets = createSecrets(dataDir, readFileSync(next, 'utf8').trim())
  if (sealed !== undefined && opens(secrets, sealed.value)) finishRotation(dataDir)
  else unlinkSync(next)
}

/** The keys that an earlier rotation carried over take the place of those that the secret itself would give. */
export async function carryKeys(db: Db, secrets: Secrets): Promise<void> {
  const stored = await db.read.get<{ value: string }>('select value from settings where key = ?', [setting])
  if (stored === undefined) return
  // Replaced since the key of the audit log was opened with it.
  if (!opens(secrets, stored.value)) throw wrongSecret()
  const keys = JSON.parse(secrets.openAtRest(stored.value)) as Record<string, string>
  for (const [purpose, key] of Object.entries(keys)) secrets.carry(purpose, Buffer.from(key, 'base64url'))
}

/** For the database, sealed with the new secret. */
export function carriedKeys(from: Secrets, to: Secrets): { key: string; value: string } {
  const keys = carriedPurposes.map((purpose) => [purpose, from.derive(purpose).export().toString('base64url')])
  return { key: setting, value: to.sealAtRest(JSON.stringify(Object.fromEntries(keys))) }
}
