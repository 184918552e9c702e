import type { BrowserEntry, BrowserLink, SealedSeed } from '@privity/contract/browserKeys'
import { limits } from '@privity/contract/limits'
import { multiRowInsert } from '../../core/database/statements.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import type { BrowserLinkRow, BrowserRemovalRow, BrowserRow, SealedSeedRow } from '../../core/database/tables/users.ts'
import { endOfUse } from './epochUse.ts'

export const selectBrowsers = (db: Reader, userId: string): Promise<BrowserRow[]> =>
  db.all('select * from browsers where user_id = ? order by last_used_at desc, browser_id', [userId])

export const selectBrowser = (db: Reader, userId: string, browserId: string): Promise<BrowserRow | undefined> =>
  db.get('select * from browsers where user_id = ? and browser_id = ?', [userId, browserId])

/** The newest removals. */
export const selectRemovals = (db: Reader, userId: string): Promise<BrowserRemovalRow[]> =>
  db.all('select * from browser_removals where user_id = ? order by removed_at desc, browser_id limit ?', [
    userId,
    limits.removedBrowsers,
  ])

export const isRemoved = async (db: Reader, userId: string, browserId: string): Promise<boolean> =>
  (await db.get('select 1 from browser_removals where user_id = ? and browser_id = ?', [userId, browserId])) !==
  undefined

/** The seeds sealed to a browser, or to the pair of the recovery key. */
export const selectSealedSeeds = (db: Reader, userId: string, browserId: string): Promise<SealedSeedRow[]> =>
  db.all('select * from sealed_seeds where user_id = ? and browser_id = ? order by n', [userId, browserId])

/** The epochs whose seeds are sealed to each browser, and to the pair of the recovery key. */
export const selectSealedNumbers = (db: Reader, userId: string) =>
  db.all<Pick<SealedSeedRow, 'n' | 'browser_id'>>('select n, browser_id from sealed_seeds where user_id = ?', [userId])

/** Seeds that are due for destruction are as good as destroyed. */
export const selectLivingNumbers = async (db: Reader, userId: string, now: number): Promise<number[]> => {
  const sql = `select n from epochs where user_id = ? and ${endOfUse} > ? and is_destroyed = 0 order by n`
  return (await db.all<{ n: number }>(sql, [userId, now, now - limits.retention])).map(({ n }) => n)
}

export const deleteSealedSeeds = (tx: Tx, userId: string, browserId: string) =>
  tx.run('delete from sealed_seeds where user_id = ? and browser_id = ?', [userId, browserId])

const insertRows = (onConflict: string) =>
  multiRowInsert(
    (rows) => `insert into sealed_seeds (user_id, n, browser_id, sealed) values ${rows}
     on conflict (user_id, n, browser_id) do ${onConflict}`,
    '(?, ?, ?, ?)',
  )
const [insertNew, insertOrReplace] = [insertRows('nothing'), insertRows('update set sealed = excluded.sealed')]

const storeSeeds =
  (statement: ReturnType<typeof insertRows>) =>
  (tx: Tx, userId: string, living: readonly number[], seeds: readonly SealedSeed[]): Promise<void> => {
    const kept = seeds.filter(({ n }) => living.includes(n))
    return tx.runRows(
      statement,
      kept.map(({ n, browserId, sealed }) => [userId, n, browserId, sealed]),
    )
  }

/** Never replaces a seed: a stolen session must not be able to. Those of other epochs than `living` are left out. */
export const insertSealedSeeds = storeSeeds(insertNew)

/** Replaces seeds, for an approval that the identity key has signed: those of one before may open for nobody. */
export const replaceSealedSeeds = storeSeeds(insertOrReplace)

/** Stores the newest entry of a browser. */
export const upsertBrowser = (
  tx: Tx,
  entry: BrowserEntry,
  { name, now, approvedAt }: { name: string; now: number; approvedAt: number | null },
) =>
  tx.run(
    `insert into browsers (user_id, browser_id, n, kem_key, sign_key, created_at, signature, browser_signature,
       is_listed, name, first_used_at, last_used_at, approved_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?)
     on conflict (user_id, browser_id) do update set n = excluded.n, kem_key = excluded.kem_key,
       sign_key = excluded.sign_key, created_at = excluded.created_at, signature = excluded.signature,
       browser_signature = excluded.browser_signature, is_listed = 1, name = excluded.name,
       last_used_at = excluded.last_used_at`,
    [
      entry.userId,
      entry.browserId,
      entry.n,
      entry.kemKey,
      entry.signKey,
      entry.createdAt,
      entry.signature,
      entry.browserSignature,
      name,
      now,
      now,
      approvedAt,
    ],
  )

const insertLinkRows = multiRowInsert(
  (rows) => `insert into browser_links (user_id, browser_id, n, sign_key, entry_hash, signature) values ${rows}`,
  '(?, ?, ?, ?, ?, ?)',
)

export const insertLinks = (
  tx: Tx,
  { userId, browserId }: Pick<BrowserEntry, 'userId' | 'browserId'>,
  links: readonly BrowserLink[],
): Promise<void> =>
  tx.runRows(
    insertLinkRows,
    links.map(({ n, signKey, entryHash, signature }) => [userId, browserId, n, signKey, entryHash, signature]),
  )

/** The links of a browser after number `after`, oldest first. */
export const selectLinks = (
  db: Reader,
  { userId, browserId, after, limit }: { userId: string; browserId: string; after: number; limit: number },
): Promise<BrowserLinkRow[]> =>
  db.all('select * from browser_links where user_id = ? and browser_id = ? and n > ? order by n limit ?', [
    userId,
    browserId,
    after,
    limit,
  ])

/**
 * Unbinds a browser from every session but this one. Somebody with a copy of its former keys may have bound another
 * session to it.
 */
export const unbindOtherSessions = (tx: Tx, { userId, sessionId }: { userId: string; sessionId: string }, id: string) =>
  tx.run('update sessions set browser_id = null where user_id = ? and browser_id = ? and id <> ?', [
    userId,
    id,
    sessionId,
  ])

export const unlistBrowser = (tx: Tx, userId: string, browserId: string) =>
  tx.run('update browsers set is_listed = 0 where user_id = ? and browser_id = ?', [userId, browserId])

export const deleteBrowser = (tx: Tx, userId: string, browserId: string) =>
  tx.run('delete from browsers where user_id = ? and browser_id = ?', [userId, browserId])

/** Deletes browsers that are not listed and to which no seed is sealed. */
export const deleteForgottenBrowsers = (tx: Tx, userId: string) =>
  tx.run(
    `delete from browsers where user_id = ? and is_listed = 0
       and browser_id not in (select browser_id from sealed_seeds where user_id = ?)`,
    [userId, userId],
  )

/** Notes which listed browser a session belongs to. */
export async function storeSessionBrowser(
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
  browserId: string,
): Promise<void> {
  await tx.run('update sessions set browser_id = ? where id = ?', [browserId, sessionId])
  await tx.run(
    `insert into session_browsers (session_id, user_id, browser_id) values (?, ?, ?)
     on conflict (session_id, browser_id) do nothing`,
    [sessionId, userId, browserId],
  )
}

/** The browsers that this session belongs to, or has belonged to. */
export const selectBrowsersOfSession = async (db: Reader, sessionId: string): Promise<string[]> => {
  const sql = 'select browser_id from session_browsers where session_id = ?'
  return (await db.all<{ browser_id: string }>(sql, [sessionId])).map(({ browser_id: id }) => id)
}

/** The sessions that belong to this browser, or have belonged to it. */
export const selectSessionsOfBrowser = async (db: Reader, userId: string, browserId: string): Promise<string[]> => {
  const sql = 'select session_id from session_browsers where user_id = ? and browser_id = ?'
  return (await db.all<{ session_id: string }>(sql, [userId, browserId])).map(({ session_id: id }) => id)
}

/** The sessions of a user that belong to a browser. */
export const selectBoundSessions = (db: Reader, userId: string) =>
  db.all<{ id: string; browser_id: string; last_used_at: number }>(
    'select id, browser_id, last_used_at from sessions where user_id = ? and browser_id is not null',
    [userId],
  )

export const selectBrowserOfSession = async (db: Reader, sessionId: string): Promise<string | undefined> =>
  (await db.get<{ browser_id: string | null }>('select browser_id from sessions where id = ?', [sessionId]))
    ?.browser_id ?? undefined

/** Ends the comparison that approves a browser. */
export const deleteComparison = (tx: Tx, userId: string, browserId: string) =>
  tx.run(
    `update browsers set commitment = null, approver_id = null, approver_nonce = null, own_nonce = null
     where user_id = ? and browser_id = ?`,
    [userId, browserId],
  )

export const setApproved = (tx: Tx, userId: string, browserId: string, now: number) =>
  tx.run('update browsers set approved_at = coalesce(approved_at, ?) where user_id = ? and browser_id = ?', [
    now,
    userId,
    browserId,
  ])
