import { existsSync } from 'node:fs'
import { readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../database/types.ts'
import { syncPath } from '../dataFolder/dataFolder.ts'
import { createSecrets, createWrongSecretError, secretPath, type Secrets } from './secrets.ts'

interface EncryptedColumns {
  /** Columns of the primary key. */
  key: readonly string[]
  columns: readonly string[]
}

/** Every column that holds text encrypted by secrets.encryptAtRest; a rotation encrypts all of them anew. */
export const encryptedColumns: Record<string, EncryptedColumns> = {
  users: { key: ['id'], columns: ['wrapped_identity_seed', 'wrapped_account_key', 'recovery_wrapped_account_key'] },
  epochs: { key: ['user_id', 'n'], columns: ['wrapped_seed', 'wrapped_former_key'] },
  sessions: { key: ['id'], columns: ['key_share'] },
  push_subscriptions: { key: ['session_id'], columns: ['subscription'] },
  authenticator_apps: { key: ['user_id'], columns: ['secret'] },
  authenticator_setups: { key: ['user_id'], columns: ['secret'] },
  founder_sessions: { key: ['id'], columns: ['key_share'] },
  founder_authenticator_app: { key: ['id'], columns: ['secret'] },
  founder_report_keys: { key: ['id'], columns: ['wrapped_seed'] },
  proposed_passwords: { key: ['token_hash'], columns: ['proposal'] },
  incident_acknowledgements: { key: ['incident_id'], columns: ['note'] },
  support_requests: { key: ['id'], columns: ['subject', 'message'] },
}

export const auditKeySetting = 'audit_signing_key'
/** The key that signs pushes (features/push/vapidKey.ts). */
export const pushKeySetting = 'push_signing_key'
const preservedKeysSetting = 'carried_keys'

/** Rows of `settings` whose value is encrypted. */
export const encryptedSettings = [auditKeySetting, pushKeySetting, preservedKeysSetting] as const

/** Keys that outlive a rotation: data made with them cannot be remade without a person's password or codes. */
const preservedPurposes = ['password-pepper', 'recovery-proof', 'recovery-codes'] as const

/** The secret that a rotation is about to install. */
export const nextSecretPath = (dataDir: string): string => join(dataDir, 'server-secret.next')

/** Replaces the old secret with the new one: the last step, once the database is encrypted with it. */
export async function finishRotation(dataDir: string): Promise<void> {
  await rename(nextSecretPath(dataDir), secretPath(dataDir))
  await syncPath(dataDir)
}

function canDecrypt(secrets: Secrets, encrypted: string): boolean {
  try {
    secrets.decryptAtRest(encrypted)
    return true
  } catch {
    return false
  }
}

/** Completes or reverts an interrupted rotation: the secret that decrypts the database remains. */
export async function completeRotation(dataDir: string, db: Db): Promise<void> {
  const next = nextSecretPath(dataDir)
  if (!existsSync(next)) return
  const encrypted = await db.read.get<{ value: string }>('select value from settings where key = ?', [auditKeySetting])
  const secrets = createSecrets((await readFile(next, 'utf8')).trim())
  if (encrypted !== undefined && canDecrypt(secrets, encrypted.value)) await finishRotation(dataDir)
  else await unlink(next)
}

/** Uses the keys that an earlier rotation preserved, in place of those derived from the secret. */
export async function usePreservedKeys(db: Db, secrets: Secrets): Promise<void> {
  const stored = await db.read.get<{ value: string }>('select value from settings where key = ?', [
    preservedKeysSetting,
  ])
  if (stored === undefined) return
  // The secret was replaced after the audit key was opened with it.
  if (!canDecrypt(secrets, stored.value)) throw createWrongSecretError()
  const keys = JSON.parse(secrets.decryptAtRest(stored.value)) as Record<string, string>
  for (const [purpose, key] of Object.entries(keys)) secrets.replaceKey(purpose, Buffer.from(key, 'base64url'))
}

/** Returns the row of `settings` that holds the preserved keys, encrypted with the new secret. */
export function preservedKeys(from: Secrets, to: Secrets): { key: string; value: string } {
  const keys = preservedPurposes.map((purpose) => [purpose, from.derive(purpose).export().toString('base64url')])
  return { key: preservedKeysSetting, value: to.encryptAtRest(JSON.stringify(Object.fromEntries(keys))) }
}
