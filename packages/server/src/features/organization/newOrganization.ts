import { limits } from '@privity/contract/limits'
import type { Role } from '@privity/contract/session'
import { audit } from '../../core/audit/audit.ts'
import type { Tx } from '../../core/database/types.ts'
import { newId } from '../../core/ids.ts'
import { insertInvitation, revokeUnusedInvitations } from './invitations/invitationQueries.ts'

/** Someone who is no member of the organization: an operator, the founder, or the server itself. */
interface ExternalAuthor {
  /** null for the server itself, at its first start. */
  actorId: 'operator' | 'founder' | null
  address?: string
  now: number
}

/** Creates an invitation by an author who is no member. Returns the token, which is stored nowhere else. */
export async function addExternalInvitation(
  tx: Tx,
  input: ExternalAuthor & { organizationId: string; role: Role; expiresAt: number },
): Promise<{ id: string; token: string }> {
  const { actorId, address, organizationId, role, expiresAt, now } = input
  const { id, token } = await insertInvitation(tx, { organizationId, role, createdBy: null, now, expiresAt })
  const details = { role, expiresAt }
  await audit(tx, { action: 'invitation_created', actorId, targetId: id, organizationId, address, details, at: now })
  return { id, token }
}

/** Creates an organization without members, and the invitation of its first Super Admin. */
export async function addOrganization(
  tx: Tx,
  input: ExternalAuthor & { name: string; type: string; expiresAt: number },
): Promise<{ id: string; invitationId: string; role: Role; token: string; expiresAt: number }> {
  const { actorId, address, name, type, expiresAt, now } = input
  const id = newId(now)
  await tx.run('insert into organizations (id, name, type, created_at) values (?, ?, ?, ?)', [id, name, type, now])
  await audit(tx, { action: 'organization_created', actorId, targetId: id, organizationId: id, address, at: now })
  const role = 'super_admin'
  const invitation = await addExternalInvitation(tx, { ...input, organizationId: id, role })
  return { id, invitationId: invitation.id, role, token: invitation.token, expiresAt }
}

/**
 * Creates the invitation of the first Super Admin, valid for a week, and revokes every unused one of the organization,
 * so that only the newest link works, also after the clock was set back.
 */
export async function addFirstInvitation(
  tx: Tx,
  input: ExternalAuthor & { organizationId: string },
): Promise<{ id: string; token: string; role: Role; expiresAt: number }> {
  const { actorId, address, now, organizationId } = input
  for (const { id } of await revokeUnusedInvitations(tx, organizationId, now))
    await audit(tx, { action: 'invitation_revoked', actorId, targetId: id, organizationId, address, at: now })
  const role = 'super_admin'
  const expiresAt = now + limits.invitationUsual
  return { ...(await addExternalInvitation(tx, { ...input, role, expiresAt })), role, expiresAt }
}
