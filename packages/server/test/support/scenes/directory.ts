import type { Connection } from '@privity/contract/connections'
import { directory } from '@privity/contract/directory'
import { notifications } from '@privity/contract/notifications'
import { updateSearchIndex } from '../../../src/features/organization/users/searchIndex.ts'
import type { Member, TestServer } from '../server/testServer.ts'

/** Switches the directory of the default organization on, and of no other one. */
export async function switchDirectoryOn({ core }: TestServer): Promise<void> {
  const [organization] = await core.db.write((tx) =>
    tx.all<{ id: string }>(
      `update organizations set policy = '{"directory":true}'
       where id = (select id from organizations order by created_at, id limit 1) returning id`,
      [],
    ),
  )
  if (organization) core.bus.publish('policyChanged', { organizationId: organization.id })
}

/** Creates a member of the default organization with this name. */
export async function signUpAs(server: TestServer, firstName: string, lastName: string): Promise<Member> {
  const member = await server.signUp()
  await server.core.db.write(async (tx) => {
    await tx.run('update users set first_name = ?, last_name = ? where id = ?', [firstName, lastName, member.user.id])
    await updateSearchIndex(tx, member.user.id)
  })
  return member
}

export const ask = (member: Member, { user }: Member): Promise<{ connection?: Connection | undefined }> =>
  member.call(directory.request, { body: { userId: user.id } })

export const refusedToAsk = async (member: Member, { user }: Member) =>
  (await member.refused(directory.request, { body: { userId: user.id } })).body.code

export const requestsOf = (member: Member) => member.call(directory.requests, {})

/** The id of the only request that this member has received. */
export async function receivedBy(member: Member): Promise<string> {
  const { received } = await requestsOf(member)
  if (received.length !== 1) throw new Error(`${received.length} requests instead of one`)
  return received[0]?.id ?? ''
}

export const answer = (member: Member, how: 'accept' | 'decline' | 'block' | 'withdraw', id: string) =>
  member.request(directory[how].method, directory[how].path.replace(':id', id))

export const whoOf = ({ user: { id, firstName, lastName } }: Member) => ({ id, firstName, lastName })

/** The member's notifications of requests. */
export const requestNoticesOf = async (member: Member) =>
  (await member.call(notifications.list, { query: {} })).notifications.filter(
    ({ kind }) => kind === 'connection_requested',
  )
