import { createHash } from 'node:crypto'
import type { Core } from '../../../src/core/core.ts'
import {
  type DeriveFounderSecret,
  readVerifier,
  writeVerifier,
} from '../../../src/features/founder/session/verifier.ts'

/** A fast replacement of Argon2id, used by test servers and their founders. */
export const deriveQuickly: DeriveFounderSecret = async (password, salt) =>
  createHash('sha256').update(`${salt}/${password}`).digest('base64url')

/** Replaces the founder's first password by the same one, so that tests still know it. */
export const acceptFirstPassword = ({ db }: Core): Promise<unknown> =>
  db.write(async (tx) => {
    const { salt, hash } = await readVerifier(tx)
    await writeVerifier(tx, { salt, hash })
  })
