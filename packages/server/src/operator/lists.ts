import { isLocking, lockTimes } from '../features/session/locks.ts'
import type { Operator } from './operator.ts'

type Row = Record<string, string | number | null>

const toIsoTime = (milliseconds: string | number | null | undefined) =>
  typeof milliseconds === 'number' ? new Date(milliseconds).toISOString() : null

const queries = {
  users: `select u.username, u.first_name || ' ' || u.last_name as name, u.email, u.role,
      case when u.suspended = 1 then 'suspended' when u.is_active = 1 then 'active' else 'inactive' end as status,
      o.name as organization, u.created_at as joined, u.id
    from users u join organizations o on o.id = u.organization_id order by o.created_at, o.id, u.username`,
  organizations: `select o.name, o.type, o.created_at as created,
      (select count(*) from users u where u.organization_id = o.id) as users,
      (select count(*) from users u where u.organization_id = o.id and u.role = 'super_admin') as super_admins, o.id
    from organizations o order by o.created_at, o.id`,
  invitations: `select o.name as organization, i.role, i.created_at as created, i.expires_at as expires,
      case when i.used_at is not null then 'used' when i.revoked_at is not null then 'revoked'
           when i.expires_at <= ? then 'expired' else 'open' end as state, u.username as used_by, i.id
    from invitations i join organizations o on o.id = i.organization_id left join users u on u.id = i.used_by
    order by i.created_at desc, i.id`,
  locks: `select coalesce(u.username, 'the founder') as username, l.purpose, case l.device when '' then 'strangers' else 'a known browser' end as counted_for,
      l.failed, l.last_failed_at as last_failed, l.locked_until
    from sign_in_locks l left join users u on u.id = l.account
    where (u.id is not null or l.account = 'founder') and (l.locked_until is null or (${isLocking}))
    order by coalesce(u.username, ''), l.purpose`,
}

export type Listed = keyof typeof queries

export const listable = Object.keys(queries) as Listed[]

const times = new Set(['joined', 'created', 'expires', 'last_failed', 'locked_until'])

const parameters: Partial<Record<Listed, (now: number) => number[]>> = { invitations: (now) => [now], locks: lockTimes }

/** Returns the rows of a list, times as ISO text. Nothing secret is listed, so no link of an invitation either. */
export async function list({ db, clock }: Operator, what: Listed): Promise<Row[]> {
  const rows = await db.read.all<Row>(queries[what], parameters[what]?.(clock.now()) ?? [])
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, times.has(name) ? toIsoTime(value) : value])),
  )
}

/** Formats rows as columns for a person to read. */
export function toTable(rows: readonly Row[]): string {
  const [first] = rows
  if (first === undefined) return 'None.'
  const names = Object.keys(first)
  // Control characters in a name must not move the cursor of the operator's terminal.
  const cell = (value: Row[string] | undefined) => String(value ?? '-').replaceAll(/\p{C}/gu, '?')
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))]
  const widths = names.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length)))
  return lines
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
