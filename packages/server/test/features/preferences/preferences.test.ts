import { defaultPolicy, defaultPreferences } from '@privity/contract/preferenceDefaults'
import { preferenceCalls } from '@privity/contract/preferences'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditRow } from '../../../src/core/database/tables/audit.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { setPolicy } from '../../support/scenes/preferences.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const get = (member: Member) => member.call(preferenceCalls.get, {})
const entries = (member: Member) =>
  server.core.db.read.all<AuditRow>(
    "select * from audit_log where action = 'preferences_changed' and actor_id = ? order by seq",
    [member.user.id],
  )

test('are the defaults until something is chosen', async () => {
  expect(await get(await server.signUp())).toEqual({ preferences: defaultPreferences, policy: defaultPolicy })
})

test('keep what is chosen, one by one, over a restart', async () => {
  const member = await server.signUp()
  await member.call(preferenceCalls.update, { body: { theme: 'dark', language: 'de' } })
  await member.call(preferenceCalls.update, { body: { fontSize: 'large', language: 'en' } })
  await server.restart()
  const chosen = { ...defaultPreferences, theme: 'dark', fontSize: 'large' }
  expect((await get(member)).preferences).toEqual(chosen)
})

test('are told to every tab of the same user, and to nobody else', async () => {
  const [member, other] = [await server.signUp(), await server.signUp()]
  const [own, strange] = [await member.socket(), await other.socket()]
  const answer = await member.call(preferenceCalls.update, { body: { compactMode: true } })
  expect(await own.next('preferences_changed')).toEqual({ type: 'preferences_changed', ...answer })
  await strange.settled()
  expect(strange.frames).toEqual([])
})

test('what changes nothing is neither told nor recorded', async () => {
  const member = await server.signUp()
  const socket = await member.socket()
  await member.call(preferenceCalls.update, { body: {} })
  await member.call(preferenceCalls.update, { body: { theme: defaultPreferences.theme } })
  await socket.settled()
  expect(socket.frames).toEqual([])
  expect(await entries(member)).toEqual([])
})

test('the log says what was changed to what', async () => {
  const member = await server.signUp()
  await member.call(preferenceCalls.update, { body: { readReceipts: false, theme: 'light', soundEnabled: true } })
  const [entry] = await entries(member)
  expect(JSON.parse(entry?.details ?? '')).toEqual({ readReceipts: false, theme: 'light' })
})

test.each([
  ['theme', 'pink'],
  ['theme', 1],
  ['fontSize', 'huge'],
  ['dateFormat', 'YYYY/MM/DD'],
  ['timeFormat', '12'],
  ['language', 'xx'],
  ['readReceipts', 'false'],
  ['readReceipts', null],
  ['dataDownloads', 1],
])('%s cannot be %s, and nothing else of the call is taken', async (key, value) => {
  const member = await server.signUp()
  const answer = await member.request('PATCH', '/api/preferences', { compactMode: true, [key]: value })
  expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT', details: [{ path: key }] } })
  expect((await get(member)).preferences).toEqual(defaultPreferences)
})

test('what is none of them is not kept', async () => {
  const member = await server.signUp()
  const body = { compactMode: true, watermark: false, policy: { watermark: false }, __proto__: { theme: 'dark' } }
  await member.request('PATCH', '/api/preferences', body)
  const state = { preferences: { ...defaultPreferences, compactMode: true }, policy: defaultPolicy }
  expect(await get(member)).toEqual(state)
})

test('changes made at the same moment are all kept', async () => {
  const member = await server.signUp()
  const parts = [{ compactMode: true }, { theme: 'dark' }, { soundEnabled: false }, { onlineStatus: false }] as const
  await Promise.all(parts.map((body) => member.call(preferenceCalls.update, { body })))
  expect((await get(member)).preferences).toEqual(Object.assign({}, defaultPreferences, ...parts))
})

test('what the organization asks stands beside them', async () => {
  const member = await server.signUp()
  await setPolicy(server, { watermark: false, sessionTimeout: true })
  expect((await get(member)).policy).toEqual({ ...defaultPolicy, watermark: false, sessionTimeout: true })
  await setPolicy(server, {})
})
