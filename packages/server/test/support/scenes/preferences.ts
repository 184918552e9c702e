import type { Policy, Preferences } from '@privity/contract/preferences'
import { privacy } from '@privity/contract/privacy'
import type { Member, TestServer } from '../server/testServer.ts'

/** Changes preferences as the settings pages do. */
export async function prefer(member: Member, part: Partial<Preferences>): Promise<void> {
  const answer = await member.request('PATCH', '/api/preferences', part)
  if (answer.status !== 200) throw new Error(`PATCH /api/preferences answered ${answer.status}`)
}

/** Enables data exports with the password. */
export const allowExports = (member: Member) =>
  member.call(privacy.allowExports, { body: { password: member.password } })

/** Sets the policy of every organization on this server. */
export async function setPolicy(server: TestServer, policy: Partial<Policy>): Promise<void> {
  const organizations = await server.core.db.write((tx) =>
    tx.all<{ id: string }>('update organizations set policy = ? returning id', [JSON.stringify(policy)]),
  )
  for (const { id } of organizations) server.core.bus.publish('policyChanged', { organizationId: id })
}
