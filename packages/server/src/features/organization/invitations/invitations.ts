import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { Invitation, InvitationParty, invitations as contract } from '@privity/contract/organization'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import type { Reader, Tx } from '../../../core/database/types.ts'
import type { Caller } from '../../../core/http/guards.ts'
import type { UserRow } from '../../../core/database/tables/users.ts'
import type { InvitationRow } from '../../../core/database/tables/organization.ts'
import { hashToken } from '../../../core/sessions/tokens.ts'
import { requireConfirmed } from '../../secondFactor/sessionConfirmation.ts'
import { checkSession } from '../../session/passwordCheck.ts'
import {
  countOpenInvitations,
  insertInvitation,
  type ListedInvitation,
  revokeOpenInvitation,
  selectInvitation,
  selectInvitations,
  selectOpenInvitation,
  selectOpenInvitationsBy,
  useOpenInvitation,
} from './invitationQueries.ts'
import { getAdministrator, canManageRole, checkCanManageRole } from '../roles/permissions.ts'
import { notifyAdministrators } from '../roles/notifyAdministrators.ts'

function stateOf({ used_at, revoked_at, expires_at }: InvitationRow, now: number): Invitation['state'] {
  if (used_at !== null) return 'used'
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= now ? 'expired' : 'open'
}

function toPerson(id: string | null, firstName: string | null, lastName: string | null): InvitationParty | null {
  if (id === null) return null
  return firstName === null || lastName === null ? { kind: 'deleted', id } : { kind: 'member', id, firstName, lastName }
}

const toInvitation = (row: ListedInvitation, now: number): Invitation => ({
  id: row.id,
  role: row.role,
  state: stateOf(row, now),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  createdBy: toPerson(row.created_by, row.creator_first_name, row.creator_last_name),
  usedAt: row.used_at,
  usedBy: toPerson(row.used_by, row.guest_first_name, row.guest_last_name),
  revokedAt: row.revoked_at,
})

async function invitationOf({ clock }: Core, db: Reader, organizationId: string, id: string): Promise<Invitation> {
  const row = await selectInvitation(db, organizationId, id)
  if (row === undefined) throw new AppError('INVITATION_NOT_FOUND')
  return toInvitation(row, clock.now())
}

export async function listInvitations(
  { db, clock }: Core,
  caller: Caller,
  { after, limit }: Received<typeof contract.list>['query'],
): Promise<Result<typeof contract.list>> {
  const { organization_id: organizationId } = await getAdministrator(db.read, caller)
  const rows = await selectInvitations(db.read, organizationId, { after, limit: limit + 1 })
  const page = rows.slice(0, limit).map((row) => toInvitation(row, clock.now()))
  return { invitations: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

/** Only this response contains the token: the database has its hash. */
export function createInvitation(
  core: Core,
  caller: Caller,
  { role, validFor }: Received<typeof contract.create>['body'],
): Promise<Result<typeof contract.create>> {
  return core.db.write(async (tx) => {
    // A late call of an ended session must not outlive it.
    await checkSession(tx, caller)
    const administrator = await getAdministrator(tx, caller)
    const { id: createdBy, organization_id: organizationId } = administrator
    checkCanManageRole(administrator, role)
    const now = core.clock.now()
    if ((await countOpenInvitations(tx, organizationId, now)) >= limits.openInvitations)
      throw new AppError('INVITATIONS_FULL')
    // A link to an administrator's role would let a stolen session outlive its own end.
    if (role !== 'user') await requireConfirmed(tx, core, caller)
    const expiresAt = now + validFor
    const { id, token } = await insertInvitation(tx, { organizationId, role, createdBy, now, expiresAt })
    const { address } = caller
    const details = { role, expiresAt }
    await audit(tx, { action: 'invitation_created', actorId: createdBy, targetId: id, address, details, at: now })
    notifyAdministrators(tx, core, organizationId)
    return { invitation: await invitationOf(core, tx, organizationId, id), token }
  })
}

export function revokeInvitation(core: Core, caller: Caller, id: string): Promise<Invitation> {
  return core.db.write(async (tx) => {
    const administrator = await getAdministrator(tx, caller)
    const { organization_id: organizationId } = administrator
    const { role } = await invitationOf(core, tx, organizationId, id)
    checkCanManageRole(administrator, role)
    const now = core.clock.now()
    if (!(await revokeOpenInvitation(tx, organizationId, id, now))) throw new AppError('INVITATION_ENDED')
    const { userId: actorId, address } = caller
    await audit(tx, { action: 'invitation_revoked', actorId, targetId: id, address, details: { role }, at: now })
    notifyAdministrators(tx, core, organizationId)
    return invitationOf(core, tx, organizationId, id)
  })
}

/**
 * Revokes open invitations created by a user: all, or those to a role above the user's present one. They could let in
 * someone who has lost access, or who created them with a stolen session. Returns whether there was one.
 */
export async function revokeInvitationsBy(
  tx: Tx,
  core: Pick<Core, 'clock'>,
  user: Pick<UserRow, 'id' | 'role' | 'organization_id'>,
  which: 'all' | 'aboveRole',
): Promise<boolean> {
  const now = core.clock.now()
  let hasRevoked = false
  for (const { id, role } of await selectOpenInvitationsBy(tx, user.id, now))
    if (
      (which === 'all' || !canManageRole(user, role)) &&
      (await revokeOpenInvitation(tx, user.organization_id, id, now))
    )
      hasRevoked = true
  return hasRevoked
}

/** Returns organization and role of an open invitation. Throws INVITATION_INVALID, whatever is wrong with the token. */
export async function requireOpenInvitation(
  db: Reader,
  { clock }: Pick<Core, 'clock'>,
  token: string,
): Promise<NonNullable<Awaited<ReturnType<typeof selectOpenInvitation>>>> {
  const invitation = await selectOpenInvitation(db, hashToken(token), clock.now())
  if (invitation === undefined) throw new AppError('INVITATION_INVALID')
  return invitation
}

/** Checks a link before its form is filled in. Throws INVITATION_INVALID, no matter what is wrong with the token. */
export async function checkInvitation(
  { db, clock }: Core,
  { token }: Received<typeof contract.check>['body'],
): Promise<Result<typeof contract.check>> {
  const invitation = await requireOpenInvitation(db.read, { clock }, token)
  return { organization: invitation.organization, role: invitation.role, expiresAt: invitation.expires_at }
}

/** Uses up the invitation of a sign-up; returns its id. Throws INVITATION_INVALID. */
export async function useInvitation(tx: Tx, core: Core, token: string, userId: string): Promise<string> {
  const used = await useOpenInvitation(tx, hashToken(token), userId, core.clock.now())
  if (used === undefined) throw new AppError('INVITATION_INVALID')
  return used.id
}
