import { createHmac, randomInt } from 'node:crypto'
import { limits } from '@privity/contract/limits'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import { deleteRecoveryCode, deleteRecoveryCodes, insertRecoveryCode } from './queries.ts'

/** Crockford's base32: no two characters look alike. 10 characters are 50 bits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const half = 5

const createHalf = () => Array.from({ length: half }, () => alphabet[randomInt(alphabet.length)]).join('')

const normalise = (code: string) =>
  code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')

/** Keyed with a secret outside the database, and bound to the account. */
export const hashRecoveryCode = (core: Core, userId: string, code: string): string =>
  createHmac('sha256', core.secrets.derive('recovery-codes'))
    .update(`${userId} ${normalise(code)}`)
    .digest('base64url')

export function newRecoveryCodes(): string[] {
  const codes = new Set<string>()
  while (codes.size < limits.recoveryCodes) codes.add(`${createHalf()}-${createHalf()}`)
  return [...codes]
}

/** Replaces all recovery codes; only their hashes are stored. */
export async function createRecoveryCodes(tx: Tx, core: Core, userId: string): Promise<string[]> {
  await deleteRecoveryCodes(tx, userId)
  const codes = newRecoveryCodes()
  for (const code of codes) await insertRecoveryCode(tx, userId, hashRecoveryCode(core, userId, code))
  tx.afterCommit(core.db.emptyLogSoon)
  return codes
}

/** Uses up a recovery code; returns whether it was one of the codes left. */
export async function useRecoveryCode(tx: Tx, core: Core, userId: string, code: string): Promise<boolean> {
  const { changes } = await deleteRecoveryCode(tx, userId, hashRecoveryCode(core, userId, code))
  return changes === 1
}
