import { browsers } from '@privity/contract/browsers'
import { auditLogs } from '@privity/contract/auditLogs'
import { connections } from '@privity/contract/connections'
import { files } from '@privity/contract/files'
import { incidents } from '@privity/contract/founder/incidents'
import { founderUsers } from '@privity/contract/founder/users'
import { moderation } from '@privity/contract/founder/moderation'
import { keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { invitations } from '@privity/contract/organization'
import { recovery } from '@privity/contract/recovery'
import { secondFactor } from '@privity/contract/secondFactor'
import { support } from '@privity/contract/support'
import { expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { signInFounder } from '../../support/founder/founder.ts'
import { makeEpoch, makePins, publication, random, wrapped } from '../../support/server/memberKeys.ts'
import { findFiles, findPlaces, idsOfRowsAbout } from '../../support/scenes/traces.ts'
import { setRole } from '../../support/scenes/organization.ts'
import { ask, switchDirectoryOn } from '../../support/scenes/directory.ts'
import { prefer } from '../../support/scenes/preferences.ts'
import { subscribe } from '../../support/scenes/pushes.ts'
import { listBrowser, makeRemoval, signInElsewhere, switchOn } from '../../support/scenes/browsers.ts'
import { addPasskey, enableTotp } from '../../support/scenes/secondFactor.ts'
import {
  approve,
  createTalk,
  download,
  randomFile,
  registerFile,
  type Talk,
  upload,
} from '../../support/scenes/conversation.ts'
import { newAddress, objects } from '../../support/scenes/uploads.ts'
import { everyTable } from '../../support/database/schema.ts'

// Each sign-up and each proof costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

/** Tables without rows about users, and the reason. */
const impersonal: Record<string, string> = {
  kysely_migration: 'which versions of the schema there were',
  kysely_migration_lock: 'that one process at a time changes the schema',
  processes: 'which processes of the server run',
  leases: 'which of them does what is done once',
  organizations: 'an organization is no person',
  user_counts: 'numbers',
  settings: 'of the deployment',
  health_pages: 'a page that is written and removed again',
  audit_heads: 'signatures over the log',
  audit_addresses: 'addresses of machines, by the number of an entry',
  retired_users: 'filled by a deletion',
  connection_endings: 'filled by a deletion, and emptied before its answer',
  removed_connections: 'empties itself as what a connection held is destroyed',
  founder_sessions: 'of the founder',
  founder_authenticator_app: 'of the founder',
  founder_used_steps: 'of the founder',
  founder_recovery_codes: 'of the founder',
  founder_report_keys: 'of the founder',
  founder_tickets: 'of the founder',
  founder_devices: 'of the founder',
  alert_settings: 'of the founder',
  connection_minutes: 'numbers',
  message_minutes: 'numbers',
  people_counts: 'numbers',
  session_counts: 'numbers',
}

/** Columns that keep data of a deleted user, and the reason. Each holds only an identifier that is never reused. */
const remains: Record<string, string> = {
  'audit_log.actor_id': 'who did what stays provable; entries cannot be taken out of the chain',
  'audit_log.target_id': 'likewise, to whom it was done',
  'audit_log.details': 'ids of connections and files that were, never content or names',
  'retired_users.id': 'so that nobody else ever gets this id',
  'security_events.user_id': 'incidents of the last 90 days are about somebody, even after their account is gone',
  'security_events.id': 'likewise',
  'security_events.session_id': 'likewise; the session has ended',
  'alerts.subject': 'what the founder was told, by the id alone, until alerts are forgotten',
  'alerts.id': 'likewise',
  'alert_deliveries.alert_id': 'likewise, and how it was delivered',
  'alert_windows.subject': 'so that the founder is not told the same twice in a quarter of an hour',
  'incident_acknowledgements.incident_id': 'the id stands in that of the incident, for as long as its events are kept',
  'told_incidents.id': 'so that no two processes tell the founder the same, for a day',
  'invitations.id': 'their organization sees which invitations there were',
  'invitations.created_by': 'likewise: that they were of somebody who is deleted, and not of the server',
  'invitations.token_hash': 'of a link that works no more',
}

/** Gives a member everything that the product offers. */
async function haveEverything(server: TestServer, { anna, ben, connection, send, sendFile }: Talk): Promise<void> {
  const [cara, dora] = [await server.signUp('cara'), await server.signUp('dora')]
  // Enough in a minute for a scan to flag them.
  for (let at = 0; at < 20; at++) await send(anna)
  await send(ben)
  const [annaFile, benFile, pending] = [await sendFile(anna), await sendFile(ben), await sendFile(ben)]
  await approve(anna, ben, annaFile.filePath)
  await approve(ben, anna, benFile.filePath)
  await download(anna, benFile.filePath)
  await anna.call(files.request, { body: { filePath: pending.filePath } })
  await registerFile(anna, randomFile(10))
  await upload(anna, randomFile(10))
  await newAddress(anna)
  await anna.call(connections.block, { params: { id: (await server.connect(anna, cara)).id } })
  await anna.call(connections.remove, { params: { id: (await server.connect(dora, anna)).id } })
  await switchDirectoryOn(server)
  await ask(anna, dora)
  await ask(await server.signUp('emil'), anna)
  await anna.call(keys.publishEpochs, publication(makeEpoch(anna.user.id, 2, server.clock.now())))
  const { browserId } = await listBrowser(await signInElsewhere(server, anna))
  await anna.call(browsers.remove, { params: { id: browserId }, body: makeRemoval(anna, browserId) })
  await listBrowser(anna)
  await switchOn(anna)
  await anna.call(keys.putPins, { body: makePins(anna.user.id, 2) })
  await prefer(anna, { theme: 'dark' })
  const draft = { subject: 'From anna', category: 'account', message: 'Please help anna.' } as const
  await anna.call(support.create, { body: draft })
  const event = { eventType: 'copy_attempt', severity: 'low', pageUrl: '/', sessionId: random(8) }
  await anna.request('POST', '/api/security-audit', event)
  await setRole(server, anna, 'org_admin')
  await anna.call(auditLogs.createExport, { query: {} })
  await anna.call(invitations.create, { body: { role: 'user', validFor: limits.invitationUsual } })
  await haveFactors(server, anna)
  await subscribe(anna)
  const { username } = anna.user
  for (let guess = 0; guess < 5; guess++)
    await server.visitor().request('POST', '/api/login', { username, password: 'a guess' })
  expect(connection.id).not.toBe('')
}

/** Enables second factors of both kinds, with one more being set up, and a sign-in and a recovery waiting for them. */
async function haveFactors(server: TestServer, anna: Member): Promise<void> {
  const { recoveryCodes } = await enableTotp(server, anna)
  const [code = '', other = '', third = ''] = recoveryCodes
  const { browser } = await addPasskey(server, anna, { recoveryCode: code })
  await browser.call(secondFactor.startPasskey, { body: { password: anna.password, recoveryCode: other } })
  await anna.call(secondFactor.startTotp, { body: { password: anna.password, recoveryCode: third } })
  const { username } = anna.user
  await server.visitor().request('POST', '/api/login', { username, password: anna.password })
  const proof = { username, recoveryProof: anna.keys?.recoveryProof ?? '' }
  await server.visitor().refused(recovery.finish, { body: { ...proof, password: 'new', wrappedAccountKey: wrapped() } })
}

test('a user who had everything leaves only what is listed here with its reason', async () => {
  await using server = await createTestServer()
  const founder = await signInFounder(server)
  const talk = await createTalk(server)
  const { anna, ben } = talk
  await haveEverything(server, talk)
  await founder.call(moderation.scan, {})
  const incident = `brute_force_attack:account:${anna.user.id}`
  await founder.call(incidents.acknowledge, { body: { incident, note: `That was ${anna.user.username}.` } })
  const kept = await registerFile(ben, randomFile(10))
  const words = [anna.user.username, anna.user.email, anna.user.firstName, anna.user.connectionCode]

  const others = ['users', 'organizations', 'audit_log', 'settings', 'kysely_migration', 'files', 'uploads', 'epochs']
  const ids = await idsOfRowsAbout(server, [anna.user.id], others)
  const own = await server.core.db.read.all<{ id: string }>(
    'select id from files where owner_id = ? union all select id from uploads where owner_id = ?',
    [anna.user.id, anna.user.id],
  )
  const marks = [...ids, ...own.map(({ id }) => id)]
  expect(marks.length).toBeGreaterThan(20)

  // Precondition: the user has rows in every table that can be about a user.
  const places = await findPlaces(server, [...marks, ...words])
  const filled = new Set(places.map((place) => place.slice(0, place.indexOf('.'))))
  const empty = (await everyTable(server.core.db.read)).filter((table) => !filled.has(table) && !(table in impersonal))
  expect(
    empty,
    'tables in which the user of this test has nothing: add something, or say why that is impossible',
  ).toEqual([])
  const theirFiles = own.map(({ id }) => id)
  // The third upload address was never used.
  expect((await objects(server)).filter((id) => theirFiles.includes(id))).toHaveLength(own.length - 1)
  expect(await findFiles(server, words)).not.toEqual([])

  await founder.call(founderUsers.remove, { params: { id: anna.user.id } })
  await server.advance(20_000)

  const left = await findPlaces(server, marks)
  expect(left.filter((place) => !(place in remains))).toEqual([])
  expect(await findPlaces(server, words)).toEqual([])
  expect(await findFiles(server, words)).toEqual([])
  expect(await objects(server)).toEqual([kept.filePath.slice(-36)])
  expect(await ben.call(connections.list, {})).toEqual([])
})
