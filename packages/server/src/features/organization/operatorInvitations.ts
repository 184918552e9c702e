import { randomBytes } from 'node:crypto'
import type { Role } from '@privity/contract/session'
import { audit } from '../../core/audit.ts'
import type { Tx } from '../../core/db.ts'
import { newId } from '../../core/ids.ts'
import { hashToken } from '../../core/sessions.ts'
import { insertInvitation } from './invitationQueries.ts'

/** An invitation by whoever operates the server, who has no account in it. Answers the token, kept nowhere else. */
export async function inviteAsOperator(
  tx: Tx,
  given: { organizationId: string; role: Role; expiresAt: number; now: number },
): Promise<{ id: string; token: string }> {
  const { organizationId, role, expiresAt, now } = given
  const token = randomBytes(24).toString('base64url')
  const id = newId(now)
  await insertInvitation(tx, {
    id,
    token_hash: hashToken(token),
    organization_id: organizationId,
    role,
    created_by: null,
    created_at: now,
    expires_at: expiresAt,
  })
  const details = { role, expiresAt }
  await audit(tx, { action: 'invitation_created', actorId: 'operator', targetId: id, organizationId, details, at: now })
  return { id, token }
}
