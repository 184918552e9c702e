import { randomBytes } from 'node:crypto'
import { addressText, emptyChain, type ProvenEntry } from '@privity/contract/auditProof'
import { chainLeaf, hashText, leafOf } from './hashChain.ts'
import type { Reader, Tx } from '../database/types.ts'

export interface AuditEntry {
  /**
   * The event in snake_case: account_created, connection_removed … The words shown for it are in
   * web/src/features/auditLogs/texts.ts.
   */
  action: string
  /** The author: a user's id, 'operator' (the command line) or 'founder'; null for the server itself. */
  actorId: string | null
  targetId?: string | undefined
  /** The organization whose log it belongs to, if neither the actor nor a target user determines it. */
  organizationId?: string
  /** The actor's organization, if the account may be deleted by now. */
  actorOrganizationId?: string | null
  address?: string | undefined
  /**
   * Facts about the event; never content, names of files or people, keys or secrets. A new fact belongs here, since it
   * is hashed and exported without a column of its own.
   */
  details?: Record<string, string | number | boolean | null>
  at: number
}

const notPeople = new Set(['operator', 'founder'])

async function organizationOf(db: Reader, userId: string): Promise<string | undefined> {
  const user = await db.get<{ organization: string }>(
    'select organization_id as organization from users where id = ?',
    [userId],
  )
  return user?.organization
}

async function actorOrganizationOf(tx: Tx, actorId: string | null): Promise<string | null> {
  if (actorId === null || notPeople.has(actorId)) return null
  const organization = await organizationOf(tx, actorId)
  // Without an organization the entry would be in no log. It must be written before its actor's row is deleted.
  if (organization === undefined) throw new Error('an audit entry of somebody who does not exist')
  return organization
}

/**
 * Stores the address and its salt in a table of their own: deleting them later keeps the chain intact. Inserted after
 * the entry, so that two processes that take the same number collide on the entry.
 */
async function insertAddress(tx: Tx, seq: number, salt: string, address: string, at: number): Promise<void> {
  await tx.run('insert into audit_addresses (seq, salt, address, created_at) values (?, ?, ?, ?)', [
    seq,
    salt,
    address,
    at,
  ])
}

/**
 * Appends one entry to the log within the caller's transaction, so that a change and its entry exist together or not at
 * all. docs/audit-log.md defines what is hashed and how.
 */
export async function audit(tx: Tx, entry: AuditEntry): Promise<void> {
  const last = await tx.get<{ seq: number; hash: string }>('select seq, hash from audit_log order by seq desc limit 1')
  const seq = (last?.seq ?? 0) + 1
  const { at, action, actorId, targetId, address, organizationId, actorOrganizationId } = entry
  const target = targetId === undefined || targetId === actorId ? undefined : await organizationOf(tx, targetId)
  const actorOrganization =
    actorOrganizationId === undefined ? await actorOrganizationOf(tx, actorId) : actorOrganizationId
  const targetOrganization = targetId !== undefined && targetId === actorId ? actorOrganization : (target ?? null)
  const salt = randomBytes(32).toString('base64url')
  const proven: ProvenEntry = {
    seq,
    at,
    action,
    actorId,
    actorOrganization,
    targetId: targetId ?? null,
    targetOrganization: targetOrganization ?? organizationId ?? null,
    addressCommitment: address === undefined ? null : hashText(addressText(salt, address)),
    details: JSON.stringify(entry.details ?? {}),
    nonce: randomBytes(16).toString('base64url'),
  }
  await insertEntry(tx, proven, chainLeaf(last?.hash ?? emptyChain, leafOf(proven)))
  if (address !== undefined) await insertAddress(tx, seq, salt, address, at)
}

/** Appends the entry of a member's call. */
export const auditCall = (
  tx: Tx,
  { userId, address }: { userId: string; address: string },
  entry: Omit<AuditEntry, 'actorId' | 'address'>,
): Promise<void> => audit(tx, { ...entry, actorId: userId, address })

async function insertEntry(tx: Tx, entry: ProvenEntry, hash: string): Promise<void> {
  await tx.run(
    `insert into audit_log (seq, created_at, action, actor_id, actor_organization, target_id, target_organization,
       address_commitment, details, nonce, hash)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      entry.seq,
      entry.at,
      entry.action,
      entry.actorId,
      entry.actorOrganization,
      entry.targetId,
      entry.targetOrganization,
      entry.addressCommitment,
      entry.details,
      entry.nonce,
      hash,
    ],
  )
}
