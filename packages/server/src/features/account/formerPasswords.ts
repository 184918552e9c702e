import { AppError } from '@privity/contract/errors'
import type { Core } from '../../core/core.ts'
import type { Reader, Tx } from '../../core/db.ts'

/** Checking a password against each takes one computation of Argon2id. */
const maxKept = 5

/**
 * Keeps the hash of the password in force before another one is stored. `isCompromised`: the keys under it are
 * replaced with it, and those under the passwords before it were the same.
 */
export async function keepFormerPassword(
  tx: Tx,
  userId: string,
  { isCompromised, now }: { isCompromised: boolean; now: number },
): Promise<void> {
  await tx.run(
    `insert into former_passwords (user_id, password_hash, password_version, replaced_at)
     select id, password_hash, password_version, cast(? as bigint) from users where id = ?
     on conflict do nothing`,
    [now, userId],
  )
  if (isCompromised) await tx.run('update former_passwords set is_compromised = 1 where user_id = ?', [userId])
  await tx.run(
    `delete from former_passwords where user_id = ? and password_hash not in
       (select password_hash from former_passwords where user_id = ? order by replaced_at desc limit ?)`,
    [userId, userId, maxKept],
  )
}

/**
 * Refuses a password that wrapped replaced keys: with it, a browser that has seen no others would open a recorded wrap
 * of them. With `replacement` that holds for every former password, since each wrapped the keys that are replaced.
 * Passwords derived under another version cannot be compared. Throws PASSWORD_FORMER.
 */
export async function refuseFormerPassword(
  db: Reader,
  core: Core,
  userId: string,
  given: { password: string; passwordVersion: number; replacement?: unknown },
): Promise<void> {
  const former = await db.all<{ password_hash: string; is_compromised: number }>(
    'select password_hash, is_compromised from former_passwords where user_id = ? and password_version = ?',
    [userId, given.passwordVersion],
  )
  for (const { password_hash, is_compromised } of former) {
    if (is_compromised === 0 && given.replacement === undefined) continue
    if (await core.passwords.verify(given.password, password_hash)) throw new AppError('PASSWORD_FORMER')
  }
}
