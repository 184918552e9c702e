import type { Reader, Value } from '../src/core/db.ts'
import type { AuditRow } from '../src/core/schema.ts'
import type { Member, TestServer } from './harness.ts'

export type AuditEntryRow = AuditRow & { address: string | null }

/** Entries with their addresses, oldest first; `where` without the word. */
export const selectAudit = (db: Reader, where = '1', params: readonly Value[] = []): Promise<AuditEntryRow[]> =>
  db.all(
    `select audit_log.*, address from audit_log left join audit_addresses using (seq) where ${where} order by seq`,
    params,
  )

/** A new member who administers his organization. */
export async function signUpAdministrator(
  server: TestServer,
  role: 'org_admin' | 'super_admin' = 'super_admin',
): Promise<Member> {
  const member = await server.signUp()
  await server.core.db.write((tx) => tx.run('update users set role = ? where id = ?', [role, member.user.id]))
  return member
}

let organizations = 0

/** Puts members into an organization of their own, as it is before anything about them was recorded there. */
export async function moveToOrganization(server: TestServer, ...members: readonly Member[]): Promise<string> {
  organizations += 1
  const id = `01890000-0000-7000-8000-${String(organizations).padStart(12, '0')}`
  await server.core.db.write(async (tx) => {
    await tx.run('insert into organizations (id, name, type, created_at) values (?, ?, ?, ?)', [
      id,
      `Other ${organizations}`,
      'Law',
      server.clock.now(),
    ])
    for (const { user } of members) await tx.run('update users set organization_id = ? where id = ?', [id, user.id])
  })
  return id
}
