import { hash } from 'node:crypto'
import type {
  BrowserEntry,
  BrowserLink,
  BrowserRenewal,
  SealedSeed,
  SealedTo,
  Sealing,
} from '@privity/contract/browserKeys'
import { distanceFromId } from '@privity/contract/envelopeUse'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import { hashedBrowserBytes, signedBrowserBytes, signedLinkBytes } from '@privity/contract/signedBytes'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import { type Count, countSuccess } from '../../core/rateLimits/outcomes.ts'
import type { BrowserRow, UserRow } from '../../core/database/tables/users.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import type { MemberCall } from '../secondFactor/confirmation.ts'
import { describeBrowser } from '../session/browserName.ts'
import { checkSession } from '../session/passwordCheck.ts'
import { getUser } from '../session/users.ts'
import {
  deleteBrowser,
  deleteForgottenBrowsers,
  deleteSealedSeeds,
  insertLinks,
  insertSealedSeeds,
  isRemoved,
  selectBoundSessions,
  selectBrowser,
  selectBrowsers,
  selectLivingNumbers,
  selectSealedSeeds,
  unbindOtherSessions,
  unlistBrowser,
  upsertBrowser,
} from './browserQueries.ts'
import { bindSession } from './browserSession.ts'
import { selectNewestEpoch } from './queries.ts'
import { decode, invalid, isSignedBy } from './signatures.ts'

export const toBrowserEntry = (row: BrowserRow): BrowserEntry => ({
  userId: row.user_id,
  browserId: row.browser_id,
  n: row.n,
  kemKey: row.kem_key,
  signKey: row.sign_key,
  createdAt: row.created_at,
  signature: row.signature,
  browserSignature: row.browser_signature,
})

/** Sorts the browsers that the user has approved first, and otherwise keeps the order. */
const byApproval = (rows: readonly BrowserRow[]): BrowserRow[] =>
  rows.toSorted((a, b) => Number(b.approved_at !== null) - Number(a.approved_at !== null))

/** Numbers of the epochs whose seeds are not due for destruction. */
export const findLiving = (db: Reader, { clock }: Core, userId: string): Promise<number[]> =>
  selectLivingNumbers(db, userId, clock.now())

/**
 * Throws BROWSERS_CHANGED unless the caller knew the newest entries of all listed browsers, and the recovery pair in
 * force: a recovery key that was renewed meanwhile opens nothing sealed to the former pair.
 */
export async function checkSealedTo(db: Reader, user: UserRow, { listed, recovery }: SealedTo): Promise<void> {
  if (recovery !== user.recovery_kem_signature) throw new AppError('BROWSERS_CHANGED')
  const rows = (await selectBrowsers(db, user.id)).filter(({ is_listed: isListed }) => isListed === 1)
  const given = new Map(listed.map(({ browserId, n }) => [browserId, n]))
  const isSame = rows.length === given.size && rows.every(({ browser_id: id, n }) => given.get(id) === n)
  if (!isSame) throw new AppError('BROWSERS_CHANGED')
}

/** Throws unless each seed is sealed to one of these browsers. */
export function checkRecipients(seeds: readonly SealedSeed[], browserIds: readonly string[]): void {
  const recipients = new Set(browserIds)
  if (seeds.some(({ browserId }) => !recipients.has(browserId)))
    throw invalid('seeds', 'A seed is sealed to another browser.')
}

const toLink = (identityKey: string, entry: BrowserEntry): BrowserLink => ({
  n: entry.n,
  signKey: entry.signKey,
  entryHash: hash('sha256', hashedBrowserBytes(identityKey, entry, decode), 'base64url'),
  signature: entry.browserSignature,
})

/** Stores the link of an entry after those that the server lacked. */
export const storeLinks = (
  tx: Tx,
  identityKey: string,
  { entry, links = [] }: Pick<BrowserRenewal, 'entry' | 'links'>,
): Promise<void> => insertLinks(tx, entry, [...links, toLink(identityKey, entry)])

/** The links that a renewal adds, counted for its browser. */
export const countLinks = (userId: string, { entry, links = [] }: BrowserRenewal): Count => [
  'browserLinks',
  `${userId}/${entry.browserId}`,
  1 + links.length,
]

/**
 * Throws unless the identity key signed the entry, and its date is not in the future. A first entry must be dated now,
 * under an id that was just chosen, so that the id of a browser that the server has deleted is never listed again.
 */
export function checkEntry({ clock }: Core, identityKey: string, userId: string, entry: BrowserEntry): void {
  const age = clock.now() - entry.createdAt
  if (entry.userId !== userId) throw invalid('userId', 'The browser belongs to another user.')
  if (age < -limits.clockTolerance) throw invalid('createdAt', 'The entry is from the future.')
  const isNew = age <= limits.clockTolerance && distanceFromId(entry.browserId, clock.now()) <= limits.clockTolerance
  if (entry.n === 1 && !isNew) throw invalid('createdAt', 'The first entry is of another time.')
  if (!isSignedBy(identityKey, signedBrowserBytes(identityKey, entry, decode), entry.signature))
    throw invalid('signature', 'The identity key did not sign this entry.')
}

/**
 * Throws unless the entry follows the stored one: its number is the next, and the newest signing key has signed it. The
 * signature of the identity is not enough, because the password opens the identity key. A copy of the browser from
 * before its newest entry has only a former signing key. After a restored backup the browser sends the links that the
 * server lacks.
 */
export function checkNextEntry(
  identityKey: string,
  before: BrowserRow | undefined,
  { entry, links = [] }: Pick<BrowserRenewal, 'entry' | 'links'>,
): void {
  if (before === undefined && links.length > 0) throw new AppError('BROWSERS_CHANGED')
  let { n, sign_key: signKey } = before ?? { n: 0, sign_key: entry.signKey }
  for (const link of [...links, toLink(identityKey, entry)]) {
    if (link.n !== n + 1) throw new AppError('BROWSERS_CHANGED')
    if (!isSignedBy(signKey, signedLinkBytes(entry, link, decode), link.signature))
      throw invalid('browserSignature', 'The signing key before it did not sign this entry.')
    ;({ n, signKey } = link)
  }
}

/**
 * Throws unless the entry follows the stored one, and no seed is sealed to this browser that it has not seen: an
 * approval in between would be lost with the entry before.
 */
export async function checkRenewal(db: Reader, core: Core, user: UserRow, renewal: BrowserRenewal): Promise<void> {
  const { entry, seen, seeds } = renewal
  const { id: userId, identity_key: identityKey } = user
  if (identityKey === null) throw new AppError('NO_KEYS')
  checkEntry(core, identityKey, userId, entry)
  checkRecipients(seeds, [entry.browserId])
  if (entry.browserId === userId) throw invalid('browserId', 'This is the id of the user.')
  if (await isRemoved(db, userId, entry.browserId)) throw new AppError('BROWSER_REMOVED')
  checkNextEntry(identityKey, await selectBrowser(db, userId, entry.browserId), renewal)
  const living = await findLiving(db, core, userId)
  const sealedTo = await selectSealedSeeds(db, userId, entry.browserId)
  if (sealedTo.some(({ n }) => living.includes(n) && !seen.includes(n))) throw new AppError('BROWSERS_CHANGED')
}

/** The time at which a browser was last listed or a session of it last used. `bound`: the sessions of all browsers. */
export function findLastUse(
  { sessions }: Core,
  bound: Awaited<ReturnType<typeof selectBoundSessions>>,
  { browser_id: browserId, last_used_at: listedAt }: BrowserRow,
): number {
  const own = bound.filter((session) => session.browser_id === browserId)
  return Math.max(listedAt, ...own.map(({ id, last_used_at: usedAt }) => Math.max(usedAt, sessions.usedAt(id))))
}

/**
 * Keeps only as many unlisted browsers as the list holds, approved ones first, and deletes the others with the seeds
 * sealed to them. Otherwise somebody with the password could fill the database by listing browser after browser.
 */
async function deleteSurplusBrowsers(tx: Tx, userId: string): Promise<void> {
  const unlisted = (await selectBrowsers(tx, userId)).filter((row) => row.is_listed === 0)
  for (const { browser_id: id } of byApproval(unlisted).slice(limits.browsers)) {
    await deleteSealedSeeds(tx, userId, id)
    await deleteBrowser(tx, userId, id)
  }
}

/**
 * Stores the entry, and replaces the seeds sealed to the one before it by `seeds`. Binds this session to the browser
 * and unbinds every other, because a copy with the former keys may use one of them.
 */
async function storeRenewal(tx: Tx, call: MemberCall, user: UserRow, renewal: BrowserRenewal): Promise<void> {
  const { entry, seeds, sessionSignature } = renewal
  const { core, caller, request } = call
  const { userId, browserId } = entry
  const name = describeBrowser(request.headers['user-agent'])
  const now = core.clock.now()
  await deleteSealedSeeds(tx, userId, browserId)
  await insertSealedSeeds(tx, userId, await findLiving(tx, core, userId), seeds)
  // In the default mode the account key opens every seed, so nobody needs to approve.
  await upsertBrowser(tx, entry, { name, now, approvedAt: user.only_approved === 1 ? null : now })
  await storeLinks(tx, user.identity_key as string, renewal)
  await unbindOtherSessions(tx, caller, browserId)
  await bindSession(tx, call, entry, sessionSignature)
  const bound = await selectBoundSessions(tx, userId)
  const others = (await selectBrowsers(tx, userId))
    .filter((row) => row.is_listed === 1 && row.browser_id !== browserId)
    .toSorted((a, b) => findLastUse(core, bound, b) - findLastUse(core, bound, a))
  // The one that has been away for longest is no longer sealed to, and keeps what was sealed to it. An approved one
  // only where all are: whoever has the password can list ten others.
  for (const { browser_id: id } of byApproval(others).slice(limits.browsers - 1)) await unlistBrowser(tx, userId, id)
  await deleteForgottenBrowsers(tx, userId)
  await deleteSurplusBrowsers(tx, userId)
  const listing = {
    action: 'browser_listed',
    actorId: userId,
    targetId: userId,
    address: caller.address,
    details: { browser: name },
    at: now,
  } as const
  if (entry.n === 1) await audit(tx, listing)
  tx.afterCommit(() => {
    core.db.emptyLogSoon()
    core.sockets.notify(userId, { type: 'browsers_changed' })
  })
}

/** Lists the browser of this session, or renews its entry. */
export function putOwnBrowser(call: MemberCall, renewal: BrowserRenewal): Promise<void> {
  const { core, caller } = call
  const store = () =>
    core.db.write(async (tx) => {
      await checkSession(tx, caller)
      const user = await getUser(tx, caller.userId)
      await checkRenewal(tx, core, user, renewal)
      await storeRenewal(tx, call, user, renewal)
    })
  return countSuccess(core.rates, [countLinks(caller.userId, renewal)], store)
}

/** Stores the renewal and the seeds of a publication, after `checkRenewal` and `checkSealedTo`. */
export async function storeSealing(
  tx: Tx,
  call: MemberCall,
  user: UserRow,
  { renewal, listed, seeds }: Sealing,
): Promise<void> {
  const { id: userId } = user
  checkRecipients(seeds, [userId, renewal.entry.browserId, ...listed.map(({ browserId }) => browserId)])
  await storeRenewal(tx, call, user, { ...renewal, seeds: [...renewal.seeds, ...seeds] })
  await tx.run('update users set publication_due = 0 where id = ?', [userId])
}

/**
 * Puts seeds sealed to a new pair of the recovery key in the place of those sealed to the former pair. Throws
 * BROWSERS_CHANGED unless there are seeds in the mode that demands them, and none in the other: the mode was switched
 * meanwhile. Throws EPOCH_CONFLICT if the caller does not know the newest epoch.
 */
export async function replaceRecoverySeeds(
  tx: Tx,
  core: Core,
  { id: userId, only_approved: onlyApproved }: UserRow,
  { seeds, after }: { seeds: readonly SealedSeed[] | undefined; after: number | undefined },
): Promise<void> {
  if ((onlyApproved === 1) !== (seeds !== undefined)) throw new AppError('BROWSERS_CHANGED')
  // The seeds of epochs that the caller does not know are sealed to the former pair alone, and would be lost with it.
  if (seeds && (await selectNewestEpoch(tx, userId))?.n !== after) throw new AppError('EPOCH_CONFLICT')
  // In the default mode too: switching the mode on keeps the seeds that are sealed to the recovery pair already.
  await deleteSealedSeeds(tx, userId, userId)
  if (seeds === undefined) return
  checkRecipients(seeds, [userId])
  await insertSealedSeeds(tx, userId, await findLiving(tx, core, userId), seeds)
}
