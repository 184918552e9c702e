import { randomBytes } from 'node:crypto'
import type { audit as chained } from '@privity/server/core/audit/audit'

/**
 * An audit log without proofs: the same entries in the same tables, without reading the previous entry, hashing or
 * signing. register.ts puts it in place of two modules of the server, only in a process of the bench: the server itself
 * has no such switch.
 */
let seq = 0
const hash = 'x'.repeat(43)

export const audit: typeof chained = async (tx, entry) => {
  const { at, action, actorId, targetId, address, details, organizationId } = entry
  if (seq === 0) seq = (await tx.get<{ seq: number | null }>('select max(seq) as seq from audit_log'))?.seq ?? 0
  seq += 1
  const of = async (id: string | null | undefined) =>
    (id === null || id === undefined
      ? undefined
      : await tx.get<{ id: string }>('select organization_id as id from users where id = ?', [id])
    )?.id
  const own = await of(actorId)
  const target = targetId === actorId ? own : await of(targetId)
  if (address !== undefined)
    await tx.run('insert into audit_addresses (seq, salt, address, created_at) values (?, ?, ?, ?)', [
      seq,
      hash,
      address,
      at,
    ])
  await tx.run(
    `insert into audit_log (seq, created_at, action, actor_id, actor_organization, target_id, target_organization,
       address_commitment, details, nonce, hash)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      seq,
      at,
      action,
      actorId,
      own ?? null,
      targetId ?? null,
      target ?? organizationId ?? null,
      address === undefined ? null : hash,
      JSON.stringify(details ?? {}),
      randomBytes(16).toString('base64url'),
      hash,
    ],
  )
}

export const signHead = async (): Promise<void> => {}
