import { alerts } from '@privity/contract/founder/alerts'
import { founderOrganizations } from '@privity/contract/founder/organizations'
import { reportKeys } from '@privity/contract/founder/reportKeys'
import { founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { founderUsers } from '@privity/contract/founder/users'
import { limits } from '@privity/contract/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../../support/server/testServer.ts'
import { selectAudit } from '../../../support/scenes/auditEntries.ts'
import type { Caller } from '../../../support/server/caller.ts'
import {
  founderLogin,
  makeReportKey,
  setUpFounderApp,
  signInAnew,
  signInFounder,
} from '../../../support/founder/founder.ts'

let server: TestServer
let founder: Caller
let member: Member
let suspended: Member
let organizationId: string
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  founder = await signInAnew(server)
  member = await server.signUp()
  suspended = await server.signUp()
  await founder.call(founderUsers.suspend, { params: { id: suspended.user.id } })
  const body = { name: 'Chambers', type: 'Legal' }
  organizationId = (await founder.call(founderOrganizations.create, { body })).organization.id
  const { keys } = await founder.call(reportKeys.list, {})
  if (keys.length === 0) await founder.call(reportKeys.add, { body: makeReportKey(server.clock.now(), null) })
})

const secretOf = async () => (await founderLogin(server, founder)).body.password
const confirm = async (given: object = {}) =>
  founder.request('POST', '/api/founder/session/confirmation', { password: await secretOf(), ...given })

const settings = {
  emailEnabled: true,
  emailAddress: 'thief@example.com',
  smsEnabled: false,
  smsPhoneNumber: null,
  alertTypes: [],
}
const guarded = {
  'replacing the report key': async () => {
    const { keys } = await founder.call(reportKeys.list, {})
    const body = makeReportKey(server.clock.now(), keys[0]?.id as string)
    return founder.request('POST', reportKeys.add.path, body)
  },
  'deleting a user': () => founder.request('DELETE', `/api/founder/users/${member.user.id}`),
  'lifting a suspension': () => founder.request('PUT', `/api/founder/users/${suspended.user.id}/unsuspend`),
  'unlocking an account': () => founder.request('POST', `/api/founder/unlock-account/${member.user.id}`),
  'making an organization': () =>
    founder.request('POST', founderOrganizations.create.path, { name: 'Other', type: 'Legal' }),
  'another link of its first administrator': () =>
    founder.request('POST', `/api/founder/organizations/${organizationId}/invitation`),
  'where alerts go': () => founder.request('PUT', alerts.putSettings.path, settings),
}
const tables = ['founder_report_keys', 'users', 'organizations', 'invitations', 'alert_settings', 'audit_log']
const everything = async () =>
  JSON.stringify(await Promise.all(tables.map((name) => server.core.db.read.all(`select * from ${name}`))))

describe.each(Object.entries(guarded))('%s', (_, act) => {
  test('needs a sign-in, or the password, of the last ten minutes, and changes nothing without', async () => {
    expect(limits.confirmationTime).toBe(600_000)
    server.clock.advance(limits.confirmationTime)
    const before = await everything()
    expect(await act()).toMatchObject({ status: 403, body: { code: 'CONFIRMATION_NEEDED' } })
    expect(await everything()).toBe(before)
    expect(await confirm()).toMatchObject({
      status: 200,
      body: { confirmedUntil: server.clock.now() + limits.confirmationTime },
    })
    server.clock.advance(limits.confirmationTime - 1)
    expect((await act()).status).toBeLessThan(300)
  })

  test('is done at once after a sign-in', async () => {
    server.clock.advance(limits.confirmationTime - 1)
    expect((await act()).status).toBeLessThan(300)
  })
})

test('the first report key of all asks for nothing', async () => {
  await server.core.db.write((tx) => tx.run('delete from founder_report_keys'))
  server.clock.advance(limits.confirmationTime)
  await founder.call(reportKeys.add, { body: makeReportKey(server.clock.now(), null) })
})

test('suspending a user asks for nothing: it must be quick, and can be undone', async () => {
  server.clock.advance(limits.confirmationTime)
  const params = { id: member.user.id }
  expect(await founder.call(founderUsers.suspend, { params })).toMatchObject({ suspended: true })
})

test('what the rules refuse anyway is refused without a password', async () => {
  server.clock.advance(limits.confirmationTime)
  const nobody = { params: { id: '01890000-0000-7000-8000-000000000000' } }
  expect(await founder.refused(founderUsers.remove, nobody)).toMatchObject({ body: { code: 'ACCOUNT_NOT_FOUND' } })
  expect(await founder.refused(founderOrganizations.invite, nobody)).toMatchObject({
    body: { code: 'ORGANIZATION_NOT_FOUND' },
  })
})

describe('a confirmation', () => {
  test('is for its own session, whatever another has shown', async () => {
    server.clock.advance(limits.confirmationTime)
    const other = await signInFounder(server)
    await other.call(founderSecondFactor.confirmSession, { body: { password: await secretOf() } })
    expect(await guarded['where alerts go']()).toMatchObject({ body: { code: 'CONFIRMATION_NEEDED' } })
  })

  test('is not what a session from before had, nor what a clock that was put back says', async () => {
    for (const confirmedAt of [null, server.clock.now() + 1]) {
      await server.core.db.write((tx) => tx.run('update founder_sessions set confirmed_at = ?', [confirmedAt]))
      expect(await guarded['deleting a user']()).toMatchObject({ body: { code: 'CONFIRMATION_NEEDED' } })
    }
  })

  test('is not made by acting', async () => {
    server.clock.advance(limits.confirmationTime - 1)
    await guarded['where alerts go']()
    server.clock.advance(1)
    expect(await guarded['where alerts go']()).toMatchObject({ body: { code: 'CONFIRMATION_NEEDED' } })
  })

  test('needs the second factor too where it is on', async () => {
    const { codes } = await setUpFounderApp(server, founder)
    server.clock.advance(limits.confirmationTime)
    expect(await confirm()).toMatchObject({ body: { code: 'SECOND_FACTOR_REQUIRED' } })
    expect(await confirm({ recoveryCode: 'AAAAA-AAAAA' })).toMatchObject({ body: { code: 'SECOND_FACTOR_WRONG' } })
    expect(await guarded['deleting a user']()).toMatchObject({ status: 403 })
    expect(await confirm({ recoveryCode: codes[0] })).toMatchObject({ status: 200 })
    expect(await guarded['deleting a user']()).toMatchObject({ status: 200 })
  })

  test('gives a stolen session no more guesses than a sign-in has', async () => {
    server.clock.advance(limits.confirmationTime)
    const answers: number[] = []
    for (let at = 0; at < limits.failedSignIns + 1; at++) answers.push((await confirm({ password: 'wrong' })).status)
    expect(answers.slice(0, -1).every((status) => status < 423)).toBe(true)
    expect(answers.at(-1)).toBe(423)
    expect((await confirm()).status).toBe(423)
  })

  test('is an entry of the audit log', async () => {
    const before = (await selectAudit(server.core.db.read)).length
    await confirm()
    const added = (await selectAudit(server.core.db.read)).slice(before)
    expect(added.map(({ action, actor_id }) => [action, actor_id])).toEqual([['session_confirmed', 'founder']])
  })
})
