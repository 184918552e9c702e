import { limits } from '@privity/contract/limits'
import type { Reader, Tx } from '../../core/database/types.ts'
import type {
  AuthenticatorAppRow,
  AuthenticatorSetupRow,
  PasskeyRow,
  ProposedPasswordRow,
  SignInTicketRow,
} from '../../core/database/tables/sessions.ts'

export const selectApp = (db: Reader, userId: string) =>
  db.get<AuthenticatorAppRow>('select * from authenticator_apps where user_id = ?', [userId])

/** The app that this session is setting up. One from the future was begun while the clock was ahead. */
export const selectSetup = (db: Reader, userId: string, sessionId: string, since: number, now: number) =>
  db.get<AuthenticatorSetupRow>(
    'select * from authenticator_setups where user_id = ? and session_id = ? and created_at > ? and created_at <= ?',
    [userId, sessionId, since, now + limits.clockTolerance],
  )

/** Replaces a setup that was started before; the app in use stays. */
export const beginSetup = (tx: Tx, row: AuthenticatorSetupRow) =>
  tx.run(
    `insert into authenticator_setups (user_id, secret, created_at, session_id) values (?, ?, ?, ?)
     on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at,
       session_id = excluded.session_id`,
    [row.user_id, row.secret, row.created_at, row.session_id],
  )

/** Makes this the user's app, in place of the one before; `step` is that of the code that confirmed it. */
export async function finishSetup(tx: Tx, setup: AuthenticatorSetupRow, step: number, now: number): Promise<void> {
  await tx.run('delete from authenticator_setups where user_id = ?', [setup.user_id])
  await tx.run('delete from used_steps where user_id = ?', [setup.user_id])
  await tx.run(
    `insert into authenticator_apps (user_id, secret, created_at, confirmed_at, last_step) values (?, ?, ?, ?, ?)
     on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at,
       confirmed_at = excluded.confirmed_at, last_step = excluded.last_step`,
    [setup.user_id, setup.secret, setup.created_at, now, step],
  )
}

export async function selectUsedSteps(tx: Reader, userId: string): Promise<number[]> {
  const rows = await tx.all<{ step: number }>('select step from used_steps where user_id = ?', [userId])
  return rows.map(({ step }) => step)
}

/** A trigger adds the step to used_steps; keeps only the newest `maxSteps`. */
export async function markStepUsed(tx: Tx, userId: string, step: number, maxSteps: number): Promise<void> {
  await tx.run('update authenticator_apps set last_step = ? where user_id = ?', [step, userId])
  await tx.run(
    `delete from used_steps where user_id = ?
       and step not in (select step from used_steps where user_id = ? order by step desc limit ?)`,
    [userId, userId, maxSteps],
  )
}

export const deleteApp = (tx: Tx, userId: string) =>
  tx.run('delete from authenticator_apps where user_id = ?', [userId])

export const selectPasskeys = (db: Reader, userId: string) =>
  db.all<PasskeyRow>('select * from passkeys where user_id = ? order by created_at, rowid', [userId])

export const selectPasskey = (db: Reader, userId: string, credentialId: string) =>
  db.get<PasskeyRow>('select * from passkeys where user_id = ? and credential_id = ?', [userId, credentialId])

export const insertPasskey = (tx: Tx, row: PasskeyRow) =>
  tx.run(
    `insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports, rp_id, created_at, last_used_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      row.id,
      row.user_id,
      row.name,
      row.credential_id,
      row.public_key,
      row.counter,
      row.transports,
      row.rp_id,
      row.created_at,
      row.last_used_at,
    ],
  )

export const usePasskey = (tx: Tx, id: string, counter: number, now: number) =>
  tx.run('update passkeys set counter = ?, last_used_at = ? where id = ?', [counter, now, id])

export const deletePasskey = (tx: Tx, userId: string, id: string) =>
  tx.run('delete from passkeys where user_id = ? and id = ?', [userId, id])

export const deletePasskeys = (tx: Tx, userId: string) => tx.run('delete from passkeys where user_id = ?', [userId])

export async function countRecoveryCodes(db: Reader, userId: string): Promise<number> {
  const row = await db.get<{ count: number }>('select count(*) as count from recovery_codes where user_id = ?', [
    userId,
  ])
  return row?.count ?? 0
}

export const insertRecoveryCode = (tx: Tx, userId: string, hash: string) =>
  tx.run('insert into recovery_codes (user_id, code_hash) values (?, ?)', [userId, hash])

export const deleteRecoveryCode = (tx: Tx, userId: string, hash: string) =>
  tx.run('delete from recovery_codes where user_id = ? and code_hash = ?', [userId, hash])

export const deleteRecoveryCodes = (tx: Tx, userId: string) =>
  tx.run('delete from recovery_codes where user_id = ?', [userId])

export const insertTicket = (tx: Tx, row: SignInTicketRow) =>
  tx.run(
    'insert into sign_in_tickets (token_hash, user_id, device, password_hash, expires_at) values (?, ?, ?, ?, ?)',
    [row.token_hash, row.user_id, row.device, row.password_hash, row.expires_at],
  )

export const insertPendingPassword = (tx: Tx, row: ProposedPasswordRow) =>
  tx.run('insert into proposed_passwords (token_hash, recovery_proof_hash, proposal) values (?, ?, ?)', [
    row.token_hash,
    row.recovery_proof_hash,
    row.proposal,
  ])

/** A ticket, with its pending password if there is one. */
export type TicketRow = SignInTicketRow & (Omit<ProposedPasswordRow, 'token_hash'> | NoPendingPassword)
interface NoPendingPassword {
  recovery_proof_hash: null
  proposal: null
}

/** One that lives longer than any was issued while the clock was ahead. */
export const selectTicket = (db: Reader, tokenHash: string, now: number) =>
  db.get<TicketRow>(
    `select sign_in_tickets.*, recovery_proof_hash, proposal
     from sign_in_tickets left join proposed_passwords using (token_hash) where token_hash = ? and expires_at > ?
       and expires_at <= ?`,
    [tokenHash, now, now + limits.secondFactorTime + limits.clockTolerance],
  )

export const deleteTicket = (tx: Tx, tokenHash: string) =>
  tx.run('delete from sign_in_tickets where token_hash = ?', [tokenHash])

export const deleteTickets = (tx: Tx, userId: string) =>
  tx.run('delete from sign_in_tickets where user_id = ?', [userId])

/** Deletes the tickets that have a pending password. */
export const deletePendingPasswords = (tx: Tx, userId: string) =>
  tx.run(
    'delete from sign_in_tickets where user_id = ? and token_hash in (select token_hash from proposed_passwords)',
    [userId],
  )

export const upsertChallenge = (tx: Tx, holder: string, userId: string, challenge: string, expiresAt: number) =>
  tx.run(
    `insert into passkey_challenges (holder, user_id, challenge, expires_at) values (?, ?, ?, ?)
     on conflict (holder) do update set user_id = excluded.user_id, challenge = excluded.challenge,
       expires_at = excluded.expires_at`,
    [holder, userId, challenge, expiresAt],
  )

/** Deletes app setups and passkey challenges of every session: they began before a change of the account's factors. */
export async function deleteSetups(tx: Tx, userId: string): Promise<void> {
  await tx.run('delete from authenticator_setups where user_id = ?', [userId])
  await tx.run('delete from passkey_challenges where user_id = ?', [userId])
}

/** Deletes and returns a challenge, so that it is used once. */
export const deleteChallenge = (tx: Tx, holder: string, userId: string) =>
  tx.get<{ challenge: string; expires_at: number }>(
    'delete from passkey_challenges where holder = ? and user_id = ? returning challenge, expires_at',
    [holder, userId],
  )

/** Deletes expired tickets, challenges and setups; returns whether a pending password was among them. */
export async function deleteExpired(tx: Tx, now: number, setupSince: number): Promise<boolean> {
  const { changes } = await tx.run(
    'delete from proposed_passwords where token_hash in (select token_hash from sign_in_tickets where expires_at <= ?)',
    [now],
  )
  await tx.run('delete from sign_in_tickets where expires_at <= ?', [now])
  await tx.run('delete from passkey_challenges where expires_at <= ?', [now])
  await tx.run('delete from authenticator_setups where created_at <= ?', [setupSince])
  return changes > 0
}
