import { randomBytes } from 'node:crypto'
import type { Role } from '@privity/contract/session'
import type { Reader, Tx } from '../../../core/database/types.ts'
import type { InvitationRow } from '../../../core/database/tables/organization.ts'
import { newId } from '../../../core/ids.ts'
import { hashToken } from '../../../core/sessions/tokens.ts'

/** An invitation with the names of its creator and its guest, while they are members. */
export interface ListedInvitation extends InvitationRow {
  creator_first_name: string | null
  creator_last_name: string | null
  guest_first_name: string | null
  guest_last_name: string | null
}

const listed = `select i.*,
    c.first_name as creator_first_name, c.last_name as creator_last_name,
    g.first_name as guest_first_name, g.last_name as guest_last_name
  from invitations i
  left join users c on c.id = i.created_by and c.organization_id = i.organization_id
  left join users g on g.id = i.used_by and g.organization_id = i.organization_id`

const isOpen = 'used_at is null and revoked_at is null and (expires_at is null or expires_at > ?)'

export const selectInvitations = (
  db: Reader,
  organizationId: string,
  { after, limit }: { after: string | undefined; limit: number },
) =>
  db.all<ListedInvitation>(
    `${listed} where i.organization_id = ? ${after === undefined ? '' : 'and i.id < ?'} order by i.id desc limit ?`,
    [organizationId, ...(after === undefined ? [] : [after]), limit],
  )

export const selectInvitation = (db: Reader, organizationId: string, id: string) =>
  db.get<ListedInvitation>(`${listed} where i.id = ? and i.organization_id = ?`, [id, organizationId])

export async function countOpenInvitations(db: Reader, organizationId: string, now: number): Promise<number> {
  const counted = `select count(*) as open from invitations where organization_id = ? and ${isOpen}`
  return (await db.get<{ open: number }>(counted, [organizationId, now]))?.open ?? 0
}

interface NewInvitation {
  organizationId: string
  role: Role
  /** null if the author is no member. */
  createdBy: string | null
  now: number
  expiresAt: number
}

/** Creates the token of an invitation and stores its hash only. */
export async function insertInvitation(
  tx: Tx,
  { organizationId, role, createdBy, now, expiresAt }: NewInvitation,
): Promise<{ id: string; token: string }> {
  const id = newId(now)
  const token = randomBytes(24).toString('base64url')
  await tx.run(
    `insert into invitations (id, token_hash, organization_id, role, created_by, created_at, expires_at)
     values (?, ?, ?, ?, ?, ?, ?)`,
    [id, hashToken(token), organizationId, role, createdBy, now, expiresAt],
  )
  return { id, token }
}

/** Revokes an open invitation; returns whether it was open until now. */
export async function revokeOpenInvitation(tx: Tx, organizationId: string, id: string, now: number): Promise<boolean> {
  const { changes } = await tx.run(
    `update invitations set revoked_at = ? where id = ? and organization_id = ? and ${isOpen}`,
    [now, id, organizationId, now],
  )
  return changes > 0
}

export const revokeUnusedInvitations = (tx: Tx, organizationId: string, now: number) =>
  tx.all<Pick<InvitationRow, 'id'>>(
    `update invitations set revoked_at = ?
     where organization_id = ? and used_at is null and revoked_at is null returning id`,
    [now, organizationId],
  )

export const selectOpenInvitationsBy = (db: Reader, userId: string, now: number) =>
  db.all<Pick<InvitationRow, 'id' | 'role'>>(`select id, role from invitations where created_by = ? and ${isOpen}`, [
    userId,
    now,
  ])

/** An open invitation and its organization: one lookup in the index of hashes. */
export const selectOpenInvitation = (db: Reader, tokenHash: string, now: number) =>
  db.get<Pick<InvitationRow, 'organization_id' | 'role' | 'expires_at'> & { organization: string }>(
    `select i.organization_id, i.role, i.expires_at, o.name as organization from invitations i
     join organizations o on o.id = i.organization_id where i.token_hash = ? and ${isOpen}`,
    [tokenHash, now],
  )

/** Uses up an open invitation: of two concurrent sign-ups with it, one finds it. */
export const useOpenInvitation = (tx: Tx, tokenHash: string, userId: string, now: number) =>
  tx.get<Pick<InvitationRow, 'id'>>(
    `update invitations set used_at = ?, used_by = ? where token_hash = ? and ${isOpen} returning id`,
    [now, userId, tokenHash, now],
  )
