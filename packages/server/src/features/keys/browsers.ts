import type { BrowserKeys, BrowserLink, BrowserRemoval } from '@privity/contract/browserKeys'
import { type Browser, type BrowserApproval, linksPerPage } from '@privity/contract/browsers'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import { signedRemovalBytes } from '@privity/contract/signedBytes'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { BrowserRow, UserRow } from '../../core/database/tables/users.ts'
import type { Reader } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { notifyAccountChange } from '../session/accountChangeNotice.ts'
import type { MemberCall } from '../secondFactor/confirmation.ts'
import { policyOf } from '../preferences/preferences.ts'
import { checkSession } from '../session/passwordCheck.ts'
import { getUser } from '../session/users.ts'
import { findApproved, findRemovers, requireRemover } from './approvedBrowsers.ts'
import {
  deleteBrowser,
  deleteSealedSeeds,
  selectBoundSessions,
  selectBrowser,
  selectBrowserOfSession,
  selectBrowsers,
  selectBrowsersOfSession,
  selectLinks,
  selectRemovals,
  selectSessionsOfBrowser,
} from './browserQueries.ts'
import { findLastUse, toBrowserEntry } from './browserRenewal.ts'
import { bindSession } from './browserSession.ts'
import { requireKeys } from './requireKeys.ts'
import { decode, invalid, isSignedBy } from './signatures.ts'

const isListed = ({ is_listed: listed }: BrowserRow) => listed === 1

/** The listed browser of this id. Throws BROWSER_NOT_FOUND. */
export async function getListed(db: Reader, userId: string, browserId: string): Promise<BrowserRow> {
  const row = await selectBrowser(db, userId, browserId)
  if (row === undefined || !isListed(row)) throw new AppError('BROWSER_NOT_FOUND')
  return row
}

/** The browser that this session is bound to. Throws BROWSER_NOT_FOUND unless it is `browserId`. */
export async function getOwnListed(db: Reader, caller: Caller, browserId: string): Promise<BrowserRow> {
  if ((await selectBrowserOfSession(db, caller.sessionId)) !== browserId) throw new AppError('BROWSER_NOT_FOUND')
  return getListed(db, caller.userId, browserId)
}

type ModeRow = Pick<UserRow, 'only_approved' | 'mode_changes' | 'mode_signature'>

/** The list as a browser needs it to seal seeds, with its own entry. */
export async function getBrowserKeys(
  core: Core,
  user: ModeRow & Pick<UserRow, 'publication_due' | 'recovery_kem_key' | 'recovery_kem_signature'>,
  { userId, sessionId }: Caller,
  browserId: string | undefined,
): Promise<BrowserKeys> {
  const db = core.db.read
  const rows = await selectBrowsers(db, userId)
  const removed = await selectRemovals(db, userId)
  const own = rows.find((row) => row.browser_id === browserId)
  return {
    mode: {
      onlyApproved: user.only_approved === 1,
      n: user.mode_changes,
      signature: user.mode_signature ?? undefined,
    },
    isModeRequired: (await policyOf(db, userId)).onlyApprovedBrowsers,
    isPublicationDue: user.publication_due === 1,
    own: own && toBrowserEntry(own),
    isListed: own !== undefined && isListed(own),
    isApproved: (await findApproved(db, core, { ...user, id: userId }, rows))(browserId ?? ''),
    isBound: own !== undefined && (await selectBrowserOfSession(db, sessionId)) === browserId,
    browsers: rows.filter(isListed).map(toBrowserEntry),
    removed: removed.map((row) => ({
      userId,
      browserId: row.browser_id,
      createdAt: row.created_at,
      signature: row.signature,
    })),
    recovery: { kemKey: user.recovery_kem_key as string, signature: user.recovery_kem_signature as string },
  }
}

function toApproval(row: BrowserRow, now: number): BrowserApproval | undefined {
  const { commitment, approval_started_at: startedAt } = row
  if (commitment === null || startedAt === null || startedAt + limits.browserApproval <= now) return undefined
  return {
    commitment,
    startedAt,
    approverId: row.approver_id ?? undefined,
    nonceOfApprover: row.approver_nonce ?? undefined,
    nonceOfNew: row.own_nonce ?? undefined,
  }
}

/** The caller's listed browsers: this one, then the one used last. */
export async function listBrowsers(core: Core, caller: Caller): Promise<Browser[]> {
  const { db, clock } = core
  const { userId, sessionId } = caller
  const bound = await selectBoundSessions(db.read, userId)
  const sharing = await selectBrowsersOfSession(db.read, sessionId)
  const now = clock.now()
  const rows = await selectBrowsers(db.read, userId)
  const user = await getUser(db.read, userId)
  const isApproved = await findApproved(db.read, core, user, rows)
  const isRemover = findRemovers(user, rows)
  const listed = rows.filter(isListed).map((row): Browser => {
    const isCurrent = bound.some((each) => each.id === sessionId && each.browser_id === row.browser_id)
    return {
      entry: toBrowserEntry(row),
      name: row.name,
      firstUsedAt: row.first_used_at,
      lastUsedAt: isCurrent ? now : findLastUse(core, bound, row),
      isCurrent,
      sharesSession: !isCurrent && sharing.includes(row.browser_id),
      isApproved: isApproved(row.browser_id),
      canRemove: isRemover(row.browser_id),
      approval: toApproval(row, now),
    }
  })
  return listed.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.lastUsedAt - a.lastUsedAt)
}

/** The links of a listed browser after that of entry `after`, for another browser that missed more than one entry. */
export async function listLinks({ db }: Core, { userId }: Caller, browserId: string, after: number) {
  await getListed(db.read, userId, browserId)
  const rows = await selectLinks(db.read, { userId, browserId, after, limit: linksPerPage })
  return rows.map(({ n, sign_key: signKey, entry_hash: entryHash, signature }): BrowserLink => ({
    n,
    signKey,
    entryHash,
    signature,
  }))
}

/** Binds this session to a listed browser, whose removal then ends it. */
export function bindBrowser(call: MemberCall, browserId: string, sessionSignature: string): Promise<void> {
  const { core, caller } = call
  return core.db.write(async (tx) => {
    await checkSession(tx, caller)
    const browser = toBrowserEntry(await getListed(tx, caller.userId, browserId))
    await bindSession(tx, call, browser, sessionSignature)
  })
}

/** Removes a browser for good: the seeds sealed to it, and its sessions. */
export function removeBrowser(call: MemberCall, browserId: string, removal: BrowserRemoval): Promise<void> {
  const { core, caller } = call
  const { userId, address } = caller
  return core.db.write(async (tx) => {
    await checkSession(tx, caller)
    const { identity_key: identityKey } = requireKeys(await getUser(tx, userId))
    if (removal.userId !== userId || removal.browserId !== browserId)
      throw invalid('browserId', 'The removal names another browser.')
    if (!isSignedBy(identityKey, signedRemovalBytes(identityKey, removal, decode), removal.signature))
      throw invalid('signature', 'The identity key did not sign the removal.')
    const browser = await selectBrowser(tx, userId, browserId)
    if (browser === undefined) throw new AppError('BROWSER_NOT_FOUND')
    await requireRemover(tx, caller)
    const at = core.clock.now()
    await tx.run(
      `insert into browser_removals (user_id, browser_id, created_at, signature, removed_at) values (?, ?, ?, ?, ?)`,
      [userId, browserId, removal.createdAt, removal.signature, at],
    )
    // Also one that goes on as another browser, and the caller's: a copy of the removed browser would have its cookie.
    for (const id of await selectSessionsOfBrowser(tx, userId, browserId))
      await core.sessions.end(tx, userId, { id }, id === caller.sessionId ? undefined : 'browser_removed_elsewhere')
    await deleteBrowser(tx, userId, browserId)
    await deleteSealedSeeds(tx, userId, browserId)
    await tx.run('update users set publication_due = only_approved where id = ?', [userId])
    await notifyAccountChange(tx, call, 'browser_removed')
    const details = { browser: browser.name }
    await audit(tx, { action: 'browser_removed', actorId: userId, targetId: userId, address, details, at })
    tx.afterCommit(() => {
      core.db.emptyLogSoon()
      core.sockets.notify(userId, { type: 'browsers_changed' })
    })
  })
}
