import { existsSync, readFileSync, renameSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../database/types.ts'
import { auditKeySetting } from './encryptedColumns.ts'
import { createSecrets, type Secrets, wrongSecret } from './secrets.ts'
import { syncFolder } from '../dataFolder/syncDirectory.ts'

/** Keys that outlive a rotation: data made with them cannot be remade without a person's password or codes. */
const carriedPurposes = ['password-pepper', 'recovery-proof', 'recovery-codes'] as const
const setting = 'carried_keys'

const current = (dataDir: string) => join(dataDir, 'server-secret')

/** The secret that a rotation is about to install. */
export const nextSecret = (dataDir: string) => join(dataDir, 'server-secret.next')

/** Replaces the old secret with the new one: the last step, once the database is encrypted with it. */
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

/** Completes or reverts an interrupted rotation: the secret that decrypts the database remains. */
export async function completeRotation(dataDir: string, db: Db): Promise<void> {
  const next = nextSecret(dataDir)
  if (!existsSync(next)) return
  const sealed = await db.read.get<{ value: string }>('select value from settings where key = ?', [auditKeySetting])
  const secrets = createSecrets(dataDir, readFileSync(next, 'utf8').trim())
  if (sealed !== undefined && opens(secrets, sealed.value)) finishRotation(dataDir)
  else unlinkSync(next)
}

/** Uses the keys that an earlier rotation preserved, in place of those derived from the secret. */
export async function preserveKeys(db: Db, secrets: Secrets): Promise<void> {
  const stored = await db.read.get<{ value: string }>('select value from settings where key = ?', [setting])
  if (stored === undefined) return
  // The secret was replaced after the audit key was opened with it.
  if (!opens(secrets, stored.value)) throw wrongSecret()
  const keys = JSON.parse(secrets.openAtRest(stored.value)) as Record<string, string>
  for (const [purpose, key] of Object.entries(keys)) secrets.carry(purpose, Buffer.from(key, 'base64url'))
}

/** Returns the preserved keys for the database, encrypted with the new secret. */
export function carriedKeys(from: Secrets, to: Secrets): { key: string; value: string } {
  const keys = carriedPurposes.map((purpose) => [purpose, from.derive(purpose).export().toString('base64url')])
  return { key: setting, value: to.sealAtRest(JSON.stringify(Object.fromEntries(keys))) }
}
