import { rm, unlink } from 'node:fs/promises'
import type { Beat } from '../core/database/processHeartbeat.ts'
import { audit } from '../core/audit/audit.ts'
import type { Tx } from '../core/database/types.ts'
import {
  encryptedColumns,
  encryptedSettings,
  finishRotation,
  nextSecretPath,
  preservedKeys,
} from '../core/secrets/rotation.ts'
import { createSecrets, readOrCreateSecret, type Secrets } from '../core/secrets/secrets.ts'
import { createServersRunningError, type Operator, Refusal } from './operator.ts'

export interface Rotated {
  /** Number of values encrypted with the new secret. */
  resealed: number
  sessionsEnded: number
}

/** Tables whose counterparts in browsers (cookies, tickets) depend on the old secret. */
const invalidatedTables = [
  'known_devices',
  'sign_in_tickets',
  'passkey_challenges',
  'founder_devices',
  'founder_tickets',
]

async function resealColumns(tx: Tx, reseal: (sealed: string) => string): Promise<number> {
  let resealed = 0
  for (const [table, { key, columns }] of Object.entries(encryptedColumns)) {
    const one = key.map((name) => `${name} = ?`).join(' and ')
    for (const column of columns) {
      const rows = await tx.all<Record<string, string | number>>(
        `select ${key.join(', ')}, ${column} as sealed from ${table} where ${column} is not null and ${column} <> ''`,
      )
      for (const row of rows)
        await tx.run(`update ${table} set ${column} = ? where ${one}`, [
          reseal(row['sealed'] as string),
          ...key.map((name) => row[name] as string | number),
        ])
      resealed += rows.length
    }
  }
  return resealed
}

async function resealSettings(tx: Tx, from: Secrets, to: Secrets): Promise<number> {
  const preserved = preservedKeys(from, to)
  await tx.run(
    'insert into settings (key, value) values (?, ?) on conflict (key) do update set value = excluded.value',
    [preserved.key, preserved.value],
  )
  for (const key of encryptedSettings.filter((name) => name !== preserved.key)) {
    const row = await tx.get<{ value: string }>('select value from settings where key = ?', [key])
    if (row !== undefined)
      await tx.run('update settings set value = ? where key = ?', [
        to.encryptAtRest(from.decryptAtRest(row.value)),
        key,
      ])
  }
  return encryptedSettings.length
}

/**
 * Throws if a server has started meanwhile with the old secret. Either this transaction sees the server's row, or the
 * server sees the new secret, because it writes its row and checks the secret in one transaction (registry.ts).
 */
async function assertNoServerStarted(tx: Tx, silent: readonly Beat[]): Promise<void> {
  const known = new Map(silent.map(({ id, beat }) => [id, beat]))
  const rows = await tx.all<Beat>('select id, beat from processes')
  if (rows.some(({ id, beat }) => known.get(id) !== beat)) throw createServersRunningError()
  // A server that was only paused inserts its row again and is then refused.
  await tx.run('delete from processes')
}

/** Encrypts everything in one transaction: the database is never under both secrets. */
export function reseal({ db, clock, secrets: from, silentProcesses }: Operator, to: Secrets): Promise<Rotated> {
  return db.write(async (tx) => {
    if (silentProcesses !== undefined) await assertNoServerStarted(tx, silentProcesses)
    // First, because there is no use in encrypting what they hold again.
    const { changes: sessionsEnded } = await tx.run('delete from sessions')
    const resealed =
      (await resealColumns(tx, (sealed) => to.encryptAtRest(from.decryptAtRest(sealed)))) +
      (await resealSettings(tx, from, to))
    await tx.run('delete from founder_sessions')
    for (const table of invalidatedTables) await tx.run(`delete from ${table}`)
    await audit(tx, { action: 'server_secret_rotated', actorId: 'operator', details: { resealed }, at: clock.now() })
    return { resealed, sessionsEnded }
  })
}

/**
 * Replaces the server's secret: writes the new one to a file, re-encrypts the database in one transaction, then renames
 * the file over the old one. After an interruption, the next start decides by the database which secret is valid.
 */
export async function rotateSecret(operator: Operator, newSecret: string | undefined): Promise<Rotated> {
  const { config, db } = operator
  const { dataDir, serverSecret } = config
  if (serverSecret !== undefined) {
    // Environment variables are trimmed when read: values encrypted with a padded secret could not be decrypted.
    const isPadded = newSecret?.trim() !== newSecret
    if (newSecret === undefined || newSecret.length < 32 || isPadded || newSecret === serverSecret)
      throw new Refusal(
        'The secret is in SERVER_SECRET: give the new one, 32 characters or more, as NEW_SERVER_SECRET.',
      )
    const rotated = await reseal(operator, createSecrets(newSecret))
    await db.purgeDeletedRows()
    return rotated
  }
  const next = nextSecretPath(dataDir)
  await rm(next, { force: true })
  const rotated = await reseal(operator, createSecrets(await readOrCreateSecret(next))).catch(
    async (error: unknown) => {
      // After a refusal nothing has changed. After any other failure that is unknown, so the next start decides.
      if (error instanceof Refusal) await unlink(next)
      throw error
    },
  )
  await db.purgeDeletedRows()
  await finishRotation(dataDir)
  return rotated
}
