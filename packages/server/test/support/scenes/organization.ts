import { session } from '@privity/contract/session'
import { newId } from '../../../src/core/ids.ts'
import type { UserRow } from '../../../src/core/database/tables/users.ts'
import { hashToken } from '../../../src/core/sessions/tokens.ts'
import type { Caller } from '../server/caller.ts'
import type { Member, TestServer } from '../server/testServer.ts'

export async function createOrganization(server: TestServer, name: string): Promise<string> {
  // The oldest organization is the default one, so this must be newer.
  await server.advance(1)
  const at = server.clock.now()
  const id = newId(at)
  await server.core.db.write((tx) =>
    tx.run("insert into organizations (id, name, type, created_at) values (?, ?, 'Legal', ?)", [id, name, at]),
  )
  return id
}

let tokens = 0

/** Stores an invitation as the server does; resolves with its token. */
export async function inviteInto(
  server: TestServer,
  organizationId: string,
  role: UserRow['role'] = 'user',
): Promise<string> {
  const token = `token ${(tokens += 1)}`
  const at = server.clock.now()
  await server.core.db.write((tx) =>
    tx.run('insert into invitations (id, token_hash, organization_id, role, created_at) values (?, ?, ?, ?, ?)', [
      newId(at),
      hashToken(token),
      organizationId,
      role,
      at,
    ]),
  )
  return token
}

export const organizationOf = async ({ core }: TestServer, { user }: Pick<Member, 'user'>): Promise<string> =>
  (await core.db.read.get<{ id: string }>('select organization_id as id from users where id = ?', [user.id]))?.id ?? ''

export const setRole = ({ core }: TestServer, { user }: Pick<Member, 'user'>, role: UserRow['role']) =>
  core.db.write((tx) => tx.run('update users set role = ? where id = ?', [role, user.id]))

/** Creates a member with a role, by default in the default organization. */
export async function join(
  server: TestServer,
  role: UserRow['role'] = 'user',
  { organizationId, username }: { organizationId?: string; username?: string } = {},
): Promise<Member> {
  const member = await server.signUp(username)
  await server.core.db.write((tx) =>
    tx.run('update users set role = ?, organization_id = coalesce(?, organization_id) where id = ?', [
      role,
      organizationId ?? null,
      member.user.id,
    ]),
  )
  return member
}

export interface Person {
  firstName: string
  lastName: string
  username: string
  email?: string
}

/** Signs up over HTTP without keys. */
export const register = (caller: Caller, { email, ...person }: Person, invitation?: string) =>
  caller.call(session.register, {
    body: { ...person, email: email ?? `${person.username}@example.com`, password: 'secret', invitation },
  })
