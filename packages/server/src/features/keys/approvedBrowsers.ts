import { AppError } from '@privity/contract/errors'
import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/database/types.ts'
import type { BrowserRow, UserRow } from '../../core/database/tables/users.ts'
import type { Caller } from '../../core/http/guards.ts'
import { getUser } from '../session/users.ts'
import { selectBrowserOfSession, selectBrowsers, selectSealedNumbers } from './browserQueries.ts'
import { findLiving } from './browserRenewal.ts'

/**
 * Returns whether a browser is approved: the user has approved it, and every living seed that is sealed to another that
 * the user has approved is sealed to it. One that was never approved could seal to itself alone, so that nobody could
 * remove it. Without "Only approved browsers" all are, because the account key opens every seed.
 */
export async function findApproved(
  db: Reader,
  core: Core,
  { id: userId, only_approved: onlyApproved }: Pick<UserRow, 'id' | 'only_approved'>,
  browsers: readonly Pick<BrowserRow, 'browser_id' | 'approved_at'>[],
): Promise<(browserId: string) => boolean> {
  if (onlyApproved === 0) return () => true
  const living = new Set(await findLiving(db, core, userId))
  const approved = new Set(browsers.filter((row) => row.approved_at !== null).map((row) => row.browser_id))
  const sealed = (await selectSealedNumbers(db, userId)).filter(
    (seed) => living.has(seed.n) && approved.has(seed.browser_id),
  )
  const needed = new Set(sealed.map(({ n }) => n)).size
  const countFor = (browserId: string) => sealed.filter((seed) => seed.browser_id === browserId).length
  const ids = new Set([...approved].filter((browserId) => countFor(browserId) === needed))
  return (browserId) => ids.has(browserId)
}

/**
 * Returns whether a browser may remove others: with "Only approved browsers" if the user has approved it, even if it
 * lacks seeds; otherwise always.
 */
export const findRemovers = (
  { only_approved: onlyApproved }: Pick<UserRow, 'only_approved'>,
  browsers: readonly Pick<BrowserRow, 'browser_id' | 'approved_at'>[],
): ((browserId: string) => boolean) => {
  const approved = new Set(browsers.filter((row) => row.approved_at !== null).map((row) => row.browser_id))
  return (browserId) => onlyApproved === 0 || approved.has(browserId)
}

/**
 * With "Only approved browsers": throws BROWSER_NOT_APPROVED unless the user has approved this session's browser. It
 * may lack seeds: a removal passes no seeds on. Otherwise somebody who publishes for one approved browser alone could
 * keep the others from removing their browser.
 */
export async function requireRemover(db: Reader, { userId, sessionId }: Caller): Promise<void> {
  const isRemover = findRemovers(await getUser(db, userId), await selectBrowsers(db, userId))
  if (!isRemover((await selectBrowserOfSession(db, sessionId)) ?? '')) throw new AppError('BROWSER_NOT_APPROVED')
}

/**
 * With "Only approved browsers": throws BROWSER_NOT_APPROVED unless this session's browser is approved. One that lacks
 * seeds would pass on less than the user expects: to another browser, to a new recovery key, or to the account key.
 */
export async function requireApproved(db: Reader, core: Core, { userId, sessionId }: Caller): Promise<void> {
  const isApproved = await findApproved(db, core, await getUser(db, userId), await selectBrowsers(db, userId))
  if (!isApproved((await selectBrowserOfSession(db, sessionId)) ?? '')) throw new AppError('BROWSER_NOT_APPROVED')
}
