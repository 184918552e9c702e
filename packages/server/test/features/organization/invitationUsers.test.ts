import { limits } from '@privity/contract/limits'
import { invitations, userAdministration } from '@privity/contract/organization'
import { expect, test } from 'vitest'
import { createTestServer } from '../../support/server/testServer.ts'
import { join, register } from '../../support/scenes/organization.ts'

test('an invitation says which deleted user made it and which used it', async () => {
  await using server = await createTestServer()
  const [boss, maker] = [await join(server, 'super_admin'), await join(server, 'org_admin')]
  // The list is sorted newest first, and the two above joined by invitations of this millisecond.
  await server.advance(1)
  const body = { role: 'user', validFor: limits.invitationUsual } as const
  const { token } = await maker.call(invitations.create, { body })
  const guest = await register(server.visitor(), { firstName: 'A', lastName: 'Guest', username: 'guest' }, token)
  for (const id of [maker.user.id, guest.id]) await boss.call(userAdministration.remove, { params: { id } })
  const [listed] = (await boss.call(invitations.list, { query: {} })).invitations
  expect(listed).toMatchObject({
    createdBy: { kind: 'deleted', id: maker.user.id },
    usedBy: { kind: 'deleted', id: guest.id },
  })
})
