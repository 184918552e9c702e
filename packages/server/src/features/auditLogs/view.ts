import type { AuditActor, AuditLogEntry, AuditTarget } from '@privity/contract/auditLogs'
import { deletedUserNumber } from '@privity/contract/deletedUser'
import type { Reader } from '../../core/database/types.ts'
import { type EntryWithAddress, type PersonRow, selectPeople, selectRetired } from './queries.ts'

export type { EntryWithAddress } from './queries.ts'

export interface People {
  members: Map<string, PersonRow>
  deleted: Set<string>
}

export async function peopleOf(db: Reader, userIds: readonly (string | null)[]): Promise<People> {
  const ids = [...new Set(userIds)].filter((id) => id !== null)
  if (ids.length === 0) return { members: new Map(), deleted: new Set() }
  const [members, deleted] = await Promise.all([selectPeople(db, ids), selectRetired(db, ids)])
  return { members: new Map(members.map((row) => [row.id, row])), deleted: new Set(deleted.map(({ id }) => id)) }
}

export function personOf({ members, deleted }: People, id: string): AuditTarget | undefined {
  const member = members.get(id)
  if (member !== undefined)
    return {
      kind: 'member',
      id,
      username: member.username,
      firstName: member.first_name,
      lastName: member.last_name,
      email: member.email,
    }
  return deleted.has(id) ? { kind: 'deleted', id } : undefined
}

/** The actor as the founder sees them. */
export function actorWithId(people: People, id: string | null): AuditActor {
  if (id === null) return { kind: 'server' }
  if (id === 'operator' || id === 'founder') return { kind: id }
  return personOf(people, id) ?? { kind: 'deleted', id }
}

function actorOf(people: People, row: EntryWithAddress, organizationId: string | null): AuditActor {
  const actor = actorWithId(people, row.actor_id)
  const isOutside = organizationId !== null && row.actor_organization !== organizationId
  return isOutside && 'id' in actor ? { kind: 'outside' } : actor
}

function targetOf(people: People, row: EntryWithAddress, organizationId: string | null): AuditTarget | undefined {
  if (row.target_id === null) return undefined
  const person = personOf(people, row.target_id)
  const isShown = organizationId === null || row.target_organization === organizationId
  return person === undefined || isShown ? person : { kind: 'outside' }
}

const names = {
  outside: 'Someone in another organization',
  server: 'Server',
  operator: 'Operator',
  founder: 'Founder',
}

export function nameOf(actor: AuditActor): string {
  if (actor.kind === 'member') return `${actor.firstName} ${actor.lastName}`
  return actor.kind === 'deleted' ? `Deleted user ${deletedUserNumber(actor.id)}` : names[actor.kind]
}

/**
 * Rows as an administrator of the organization may see them, without people of other organizations. null is for the
 * founder, who sees everything.
 */
export async function toEntries(
  db: Reader,
  rows: readonly EntryWithAddress[],
  organizationId: string | null,
): Promise<AuditLogEntry[]> {
  const people = await peopleOf(
    db,
    rows.flatMap((row) => [row.actor_id, row.target_id]),
  )
  return rows.map((row) => {
    const actor = actorOf(people, row, organizationId)
    const target = targetOf(people, row, organizationId)
    return {
      id: String(row.seq),
      action: row.action,
      targetUserEmail: target?.kind === 'member' ? target.email : undefined,
      performedBy: nameOf(actor),
      performedAt: row.created_at,
      details: JSON.parse(row.details) as AuditLogEntry['details'],
      actor,
      target,
      address:
        organizationId === null || row.actor_organization === organizationId ? (row.address ?? undefined) : undefined,
    }
  })
}
