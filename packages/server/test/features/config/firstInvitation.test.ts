import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { prepareDeployment } from '../../../src/features/config/firstStart.ts'
import type { Invited } from '../../../src/operator/users.ts'
import { deriveQuickly } from '../../support/server/founderPassword.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { selectAudit } from '../../support/scenes/auditEntries.ts'
import { adminJson, runAdmin } from '../../support/server/adminCommand.ts'

let server: TestServer
beforeEach(async () => {
  server = await createTestServer()
})
afterEach(() => server.close())

const join = (invitation = '') => ({
  body: { username: 'first', password: 'p', firstName: 'A', lastName: 'B', email: 'first@example.com', invitation },
})
const tokenIn = (link: string) => new URLSearchParams(new URL(link).hash.slice(1)).get('invitation') ?? ''
const role = async (invitation: string | undefined) =>
  (await server.visitor().call(session.register, join(invitation))).role

test('the invitation of the first start makes a Super Admin within 7 days', async () => {
  server.clock.advance(limits.invitationUsual - 1)
  expect(await role(server.app.firstStart.invitation)).toBe('super_admin')
})

test('the invitation of the first start ends after 7 days', async () => {
  server.clock.advance(limits.invitationUsual)
  const refused = await server.visitor().refused(session.register, join(server.app.firstStart.invitation))
  expect(refused.body.code).toBe('INVITATION_INVALID')
})

test('the command line makes it anew, and the one before ends', { timeout: 60_000 }, async () => {
  const made = await adminJson<Invited>(server.dataDir, ['invitation', 'renew'])
  expect((await selectAudit(server.core.db.read, "action = 'invitation_created'")).at(-1)?.actor_id).toBe('operator')
  expect(await selectAudit(server.core.db.read, "action = 'invitation_revoked'")).toMatchObject([
    { actor_id: 'operator' },
  ])
  const before = await server.visitor().refused(session.register, join(server.app.firstStart.invitation))
  expect(before.body.code).toBe('INVITATION_INVALID')
  expect(await role(tokenIn(made.link))).toBe('super_admin')
})

test('the command line makes it anew beside somebody who signed up without it', { timeout: 60_000 }, async () => {
  const outsider = { ...join().body, username: 'outsider', email: 'outsider@example.com', invitation: undefined }
  expect((await server.visitor().call(session.register, { body: outsider })).role).toBe('user')
  const made = await adminJson<Invited>(server.dataDir, ['invitation', 'renew'])
  expect(await role(tokenIn(made.link))).toBe('super_admin')
})

test('a start makes another one where somebody signed up without it', async () => {
  expect(
    (await server.visitor().call(session.register, { body: { ...join().body, invitation: undefined } })).role,
  ).toBe('user')
  server.clock.advance(limits.invitationUsual)
  await server.restart()
  const second = { ...join(server.app.firstStart.invitation).body, username: 'second', email: 'second@example.com' }
  expect((await server.visitor().call(session.register, { body: second })).role).toBe('super_admin')
})

test('a start on a full disk makes none, and the one before stays valid', async () => {
  const write = vi.spyOn(server.core.db, 'write').mockRejectedValue(new AppError('STORAGE_FULL'))
  expect(await prepareDeployment(server.core, deriveQuickly)).toEqual({})
  write.mockRestore()
  expect(await role(server.app.firstStart.invitation)).toBe('super_admin')
})

test('the command line makes none where there is a Super Admin', { timeout: 60_000 }, async () => {
  await role(server.app.firstStart.invitation)
  expect((await runAdmin(server.dataDir, ['invitation', 'renew'])).code).toBe(1)
})
