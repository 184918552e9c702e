import { randomBytes } from 'node:crypto'
import { limits } from '@privity/contract/limits'
import type { Clock } from '../clock.ts'
import { isFull } from '../database/errors.ts'
import type { Db, Tx } from '../database/types.ts'
import { newId } from '../ids.ts'
import type { FounderSessionRow } from '../database/tables/founder.ts'
import { hashToken, hasToken, readTokenHash, replaceToken, tokenParameters } from './tokens.ts'

/** The founder's sessions. They are read from the database each time, so an ended one is invalid at once. */
export interface FounderSessions {
  cookieName: string
  /**
   * Finds the session of a cookie. `isAutomatic`: the browser sent the call without a user's action, which does not
   * count as use.
   */
  find(cookieHeader: string | undefined, isAutomatic?: boolean): Promise<FoundFounderSession | undefined>
  /** Starts a session in the caller's transaction, confirmed by its sign-in. `keyShare`: encrypted at rest. */
  start(tx: Tx, from: { address: string; device: string; keyShare: string }): Promise<{ id: string; token: string }>
  /** See Sessions.renew. */
  renew(tx: Tx, session: { sessionId: string; tokenHash: string }): Promise<string | undefined>
}

/** Includes the SHA-256 of the token that it was found by, which may be the former one. */
type FoundFounderSession = FounderSessionRow & { found_by: string }

/** The time of last use is stored at most this often. */
const useGranularityMs = 60_000

export function createFounderSessions(db: Db, clock: Clock, secure: boolean): FounderSessions {
  const cookieName = secure ? '__Host-privity_founder' : 'privity_founder'

  /** A full disk does not close the console, which shows the founder that it is full. */
  async function saveLastUse({ id }: FounderSessionRow, now: number): Promise<void> {
    const save = (tx: Tx) => tx.run('update founder_sessions set last_used_at = ? where id = ?', [now, id])
    await db.write(save).catch((error: unknown) => {
      if (!isFull(error)) throw error
    })
  }

  return {
    cookieName,
    async find(cookieHeader, isAutomatic = false) {
      const tokenHash = readTokenHash(cookieHeader, cookieName)
      if (tokenHash === undefined) return undefined
      const now = clock.now()
      const row = await db.read.get<FounderSessionRow>(
        `select * from founder_sessions where ${hasToken}`,
        tokenParameters(tokenHash, now),
      )
      if (row === undefined || now - row.last_used_at >= limits.founderSessionIdle) return undefined
      if (now - row.created_at >= limits.sessionLife) return undefined
      if (!isAutomatic && now - row.last_used_at >= useGranularityMs) await saveLastUse(row, now)
      return { ...row, found_by: tokenHash }
    },
    async start(tx, { address, device, keyShare }) {
      const now = clock.now()
      const token = randomBytes(32).toString('base64url')
      const id = newId(now)
      await tx.run(
        `insert into founder_sessions (id, token_hash, key_share, created_at, last_used_at, address, device, confirmed_at)
         values (?, ?, ?, ?, ?, ?, ?, ?)`,
        [id, hashToken(token), keyShare, now, now, address, device, now],
      )
      return { id, token }
    },
    renew: async (tx, session) => (await replaceToken(tx, 'founder_sessions', session, clock.now()))?.token,
  }
}
