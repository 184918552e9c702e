import { userAdministration } from '@privity/contract/organization'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AuditRow } from '../../../src/core/database/tables/audit.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createOrganization, join } from '../../support/scenes/organization.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, other: many } } })
})
afterAll(() => server.close())

const at = ({ user }: Member) => ({ params: { id: user.id } })

describe('the log of a deletion', () => {
  const removals = (connectionId: string) =>
    server.core.db.read.all<Pick<AuditRow, 'actor_id' | 'target_id' | 'details'>>(
      "select actor_id, target_id, details from audit_log where action = 'connection_removed' and details like ?",
      [`%${connectionId}%`],
    )

  test('says that a connection ended with the account, and of nobody that they left on their own', async () => {
    const [admin, target, contact] = [await join(server, 'org_admin'), await server.signUp(), await server.signUp()]
    const ended = [await server.connect(admin, target), await server.connect(target, contact)]
    await admin.call(userAdministration.remove, at(target))
    const [own, other] = ended.map(({ id }) => JSON.stringify({ connectionId: id, accountDeleted: true }))
    const actor_id = admin.user.id
    expect(await removals(ended[0]?.id ?? '')).toEqual([{ actor_id, target_id: target.user.id, details: own }])
    expect(await removals(ended[1]?.id ?? '')).toEqual([{ actor_id, target_id: contact.user.id, details: other }])
  })

  test('does not tell another organization why', async () => {
    const organizationId = await createOrganization(server, 'Elsewhere')
    const [admin, target] = [await join(server, 'org_admin'), await server.signUp()]
    const contact = await join(server, 'user', { organizationId })
    const { id } = await server.connect(target, contact)
    await admin.call(userAdministration.remove, at(target))
    expect((await removals(id)).map(({ details }) => details)).toEqual([JSON.stringify({ connectionId: id })])
  })
})
