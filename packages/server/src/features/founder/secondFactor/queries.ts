import { limits } from '@privity/contract/limits'
import type { Reader, Tx } from '../../../core/database/types.ts'
import type { FounderAppRow, FounderTicketRow } from '../../../core/database/tables/founder.ts'

export const selectApp = (db: Reader) => db.get<FounderAppRow>('select * from founder_authenticator_app')

export async function upsertApp(tx: Tx, secret: string, step: number, now: number): Promise<void> {
  await tx.run('delete from founder_used_steps')
  await tx.run(
    `insert into founder_authenticator_app (id, secret, created_at, confirmed_at, last_step) values (1, ?, ?, ?, ?)
     on conflict (id) do update set secret = excluded.secret, created_at = excluded.created_at,
     confirmed_at = excluded.confirmed_at, last_step = excluded.last_step`,
    [secret, now, now, step],
  )
}

export async function selectUsedSteps(tx: Reader): Promise<number[]> {
  return (await tx.all<{ step: number }>('select step from founder_used_steps')).map(({ step }) => step)
}

/** A trigger adds the step to founder_used_steps; all but the latest `keep` are deleted. */
export async function useStep(tx: Tx, step: number, keep: number): Promise<void> {
  await tx.run('update founder_authenticator_app set last_step = ?', [step])
  await tx.run(
    `delete from founder_used_steps
     where step not in (select step from founder_used_steps order by step desc limit ?)`,
    [keep],
  )
}

export async function deleteFactors(tx: Tx): Promise<void> {
  for (const table of ['founder_authenticator_app', 'founder_recovery_codes', 'founder_tickets'])
    await tx.run(`delete from ${table}`)
}

export async function countCodes(db: Reader): Promise<number> {
  return (await db.get<{ n: number }>('select count(*) as n from founder_recovery_codes'))?.n ?? 0
}

export const insertCode = (tx: Tx, hash: string) =>
  tx.run('insert into founder_recovery_codes (code_hash) values (?)', [hash])

export const deleteCode = (tx: Tx, hash: string) =>
  tx.run('delete from founder_recovery_codes where code_hash = ?', [hash])

export const deleteCodes = (tx: Tx) => tx.run('delete from founder_recovery_codes')

export const insertTicket = (tx: Tx, row: FounderTicketRow) =>
  tx.run('insert into founder_tickets (token_hash, device, verifier_hash, expires_at) values (?, ?, ?, ?)', [
    row.token_hash,
    row.device,
    row.verifier_hash,
    row.expires_at,
  ])

export const selectTicket = (db: Reader, tokenHash: string, now: number) =>
  db.get<FounderTicketRow>(
    'select * from founder_tickets where token_hash = ? and expires_at > ? and expires_at <= ?',
    [tokenHash, now, now + limits.secondFactorTime + limits.clockTolerance],
  )

export const deleteTicket = (tx: Tx, tokenHash: string) =>
  tx.run('delete from founder_tickets where token_hash = ?', [tokenHash])
