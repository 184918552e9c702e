import { hash } from 'node:crypto'
import { entryText, type ProvenEntry } from '@privity/contract/auditProof'
import type { AuditRow } from '../database/tables/audit.ts'

export const hashText = (text: string): string => hash('sha256', text, 'base64url')

export const toProven = (row: AuditRow): ProvenEntry => ({
  seq: row.seq,
  at: row.created_at,
  action: row.action,
  actorId: row.actor_id,
  actorOrganization: row.actor_organization,
  targetId: row.target_id,
  targetOrganization: row.target_organization,
  addressCommitment: row.address_commitment,
  details: row.details,
  nonce: row.nonce,
})

export const leafOf = (entry: ProvenEntry): string => hashText(entryText(entry))

/** Extends the chain by an entry: SHA-256 of the previous chain value and the entry's own hash, 32 bytes each. */
export function chainLeaf(previous: string, leaf: string): string {
  const both = Buffer.allocUnsafe(64)
  both.write(previous, 0, 32, 'base64url')
  both.write(leaf, 32, 32, 'base64url')
  return hash('sha256', both, 'base64url')
}
