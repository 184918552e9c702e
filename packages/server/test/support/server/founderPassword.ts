import { createHash } from 'node:crypto'
import type { Core } from '../../../src/core/core.ts'
import {
  type DeriveFounderSecret,
  readVerifier,
  writeVerifier,
} from '../../../src/features/founder/session/verifier.ts'

/** Quick instead of Argon2id: what test servers and their founders derive with. */
export const deriveQuickly: DeriveFounderSecret = async (password, salt) =>
  createHash('sha256').update(`${salt}/${password}`).digest('base64url')

/** The founder has replaced the password of the first start, by the same one: tests go on knowing it. */
export const acceptFirstPassword = ({ db }: Core): Promise<unknown> =>
  db.write(async (tx) => {
    const { salt, hash } = await readVerifier(tx)
    await writeVerifier(tx, { salt, hash })
  })
