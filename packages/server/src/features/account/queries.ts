import type { RecoveryPair } from '@privity/contract/browserKeys'
import type { Reader, Tx } from '../../core/database/types.ts'
import type { UserRow } from '../../core/database/tables/users.ts'

export const selectUser = (db: Reader, userId: string) => db.get<UserRow>('select * from users where id = ?', [userId])

export const selectOrganizationOf = (db: Reader, userId: string) =>
  db.get<{ name: string; type: string }>(
    'select o.name, o.type from users u join organizations o on o.id = u.organization_id where u.id = ?',
    [userId],
  )

export const updateProfileOf = (
  tx: Tx,
  userId: string,
  { firstName, lastName, email }: { firstName: string; lastName: string; email: string },
) =>
  tx.run('update users set first_name = ?, last_name = ?, email = ? where id = ?', [firstName, lastName, email, userId])

/** `now` settles earlier failed sign-ins: they were attempts at the old password. */
export const replacePassword = (
  tx: Tx,
  userId: string,
  { passwordHash, passwordVersion }: { passwordHash: string; passwordVersion: number },
  wrappedAccountKey: string | null,
  now: number,
) =>
  tx.run(
    `update users set password_hash = ?, password_version = ?, wrapped_account_key = ?, failures_settled_at = ?
     where id = ?`,
    [passwordHash, passwordVersion, wrappedAccountKey, now, userId],
  )

export const replaceRecoveryKey = (
  tx: Tx,
  userId: string,
  proofHash: string,
  { kemKey, signature }: RecoveryPair,
  wrappedAccountKey: string,
) =>
  tx.run(
    `update users set recovery_proof_hash = ?, recovery_kem_key = ?, recovery_kem_signature = ?,
       recovery_wrapped_account_key = ? where id = ?`,
    [proofHash, kemKey, signature, wrappedAccountKey, userId],
  )

export const deleteLocks = (tx: Tx, userId: string) => tx.run('delete from sign_in_locks where account = ?', [userId])

/** Stored objects of a user: files, sent or not, and uploads in any state. */
export const selectObjectsOf = (db: Reader, userId: string) =>
  db.all<{ id: string }>(
    'select id from files where owner_id = ? union all select id from uploads where owner_id = ?',
    [userId, userId],
  )

/** Sessions, epochs, known browsers, uploads and files are deleted by cascade; the id is never used again. */
export async function deleteUserRow(tx: Tx, userId: string, now: number): Promise<void> {
  await tx.run('delete from users where id = ?', [userId])
  await tx.run('insert into retired_users (id, retired_at) values (?, ?)', [userId, now])
}
