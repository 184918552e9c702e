import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { limits } from '@privity/contract/limits'
import { auditLogs } from '@privity/contract/auditLogs'
import { founderSessions } from '@privity/contract/founder/session'
import { notifications } from '@privity/contract/notifications'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Config } from '../../src/core/config/types.ts'
import { restoredInto } from '../../src/operator/commands.ts'
import type { Invited } from '../../src/operator/users.ts'
import { createTestServer, type TestServer } from '../support/server/testServer.ts'
import { selectAudit } from '../support/scenes/auditEntries.ts'
import { founderLogin } from '../support/founder/founder.ts'
import { failSignIn } from '../support/founder/incidents.ts'
import { adminJson, runAdmin } from '../support/server/adminCommand.ts'
import { join } from '../support/scenes/organization.ts'
import { enableTotp } from '../support/scenes/secondFactor.ts'
import { onPostgres } from '../support/database/testDatabase.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const person = (username: string, invitation: string) => ({
  body: { username, password: 'p', firstName: 'A', lastName: 'B', email: `${username}@example.com`, invitation },
})
const tokenIn = (link: string) => new URLSearchParams(new URL(link).hash.slice(1)).get('invitation') as string
const lastEntry = async () => (await selectAudit(server.core.db.read)).at(-1)

/** Runs `work` while the server is stopped. */
async function stopped<T>(work: () => Promise<T>): Promise<T> {
  await server.app.close()
  try {
    return await work()
  } finally {
    await server.start()
  }
}

test('where the database and the files of a backup are restored is said of each', () => {
  const [postgres, s3] = [{ url: 'postgres://privity:secret@db/privity' }, { bucket: 'sealed-files' }] as [
    Config['postgres'],
    Config['s3'],
  ]
  const said = [{}, { postgres }, { s3 }, { postgres, s3 }].map((more) =>
    restoredInto({ dataDir: '/data', postgres: undefined, s3: undefined, ...more }),
  )
  expect(said).toEqual([
    '/data',
    'the database of DATABASE_URL, the files into /data,',
    '/data, the files into the bucket sealed-files,',
    'the database of DATABASE_URL, the files into the bucket sealed-files,',
  ])
})

describe('beside a running server', { timeout: 60_000 }, () => {
  test('an organization is made, its first administrator follows the link and reads its log', async () => {
    const made = await adminJson<Invited>(server.dataDir, ['organization', 'create', 'Chambers', 'Law', '--days', '2'])
    expect(made).toMatchObject({ organization: 'Chambers', role: 'super_admin' })
    expect(made.expiresAt).toBeGreaterThan(Date.now())
    const visitor = server.visitor()
    const user = await visitor.call(session.register, person('first', tokenIn(made.link)))
    expect(user.role).toBe('super_admin')
    const log = await visitor.call(auditLogs.list, { query: {} })
    expect(log.map(({ action, performedBy }) => [action, performedBy])).toEqual(
      expect.arrayContaining([
        ['organization_created', 'Operator'],
        ['invitation_created', 'Operator'],
        ['account_created', 'A B'],
      ]),
    )
    const again = await server.visitor().refused(session.register, person('second', tokenIn(made.link)))
    expect(again.body.code).toBe('INVITATION_INVALID')

    const invited = await adminJson<Invited>(server.dataDir, ['user', 'create', '--organization', 'Chambers'])
    const member = await server.visitor().call(session.register, person('third', tokenIn(invited.link)))
    expect(member.role).toBe('user')
    const { users } = await adminJson<{ users: { username: string; organization: string }[] }>(server.dataDir, [
      'list',
      'users',
    ])
    expect(users.filter(({ organization }) => organization === 'Chambers').map(({ username }) => username)).toEqual([
      'first',
      'third',
    ])
    const { organizations } = await adminJson<{ organizations: object[] }>(server.dataDir, ['list', 'organizations'])
    expect(organizations).toContainEqual(
      expect.objectContaining({ name: 'Chambers', type: 'Law', users: 2, super_admins: 1 }),
    )
    const listed = await runAdmin(server.dataDir, ['list', 'invitations'])
    expect(listed).toMatchObject({ code: 0, output: expect.stringMatching(/Chambers +super_admin .* used +first/) })
    expect(listed.output).not.toContain(tokenIn(made.link))
  })

  test('a lock is reset, and its owner signs in at once', async () => {
    const ada = await server.signUp()
    const { username } = ada.user
    const wrong = { body: { username, password: 'wrong' } }
    for (let i = 0; i < 5; i++) await server.visitor().refused(session.login, wrong)
    const right = { body: { username, password: ada.password } }
    expect((await server.visitor().refused(session.login, right)).body.code).toBe('ACCOUNT_LOCKED')
    await server.core.db.write((tx) => tx.run('update sign_in_locks set locked_until = ?', [Date.now() + 600_000]))
    const { locks } = await adminJson<{ locks: object[] }>(server.dataDir, ['list', 'locks'])
    expect(locks).toEqual([
      expect.objectContaining({ username, purpose: 'sign-in', counted_for: 'strangers', failed: 5 }),
    ])
    const reset = await adminJson<{ locksEnded: number }>(server.dataDir, ['lock', 'reset', username])
    expect(reset).toEqual({ ok: true, username, locksEnded: 1 })
    await server.visitor().call(session.login, right)
    const entries = await selectAudit(server.core.db.read, "action = 'lock_reset'")
    expect(entries).toMatchObject([{ actor_id: 'operator', target_id: ada.user.id, address: null }])
  })

  test('a lock that a clock which was ahead has set, and which locks nobody, is not listed', async () => {
    const { user } = await server.signUp()
    await failSignIn(server, user.username, '203.0.113.1', 5)
    const until = Date.now() + 60 * 24 * 60 * 60_000
    await server.core.db.write((tx) =>
      tx.run('update sign_in_locks set locked_until = ? where account = ?', [until, user.id]),
    )
    const { locks } = await adminJson<{ locks: object[] }>(server.dataDir, ['list', 'locks'])
    expect(locks).not.toContainEqual(expect.objectContaining({ username: user.username }))
  })

  test('a founder whom a stranger keeps out of a new browser is let in', async () => {
    const wrong = { body: { username: 'founder', password: 'wrong' } }
    for (let i = 0; i < 5; i++) await server.visitor().refused(founderSessions.login, wrong)
    const browser = server.visitor()
    const right = await founderLogin(server, browser)
    expect((await browser.refused(founderSessions.login, right)).body.code).toBe('ACCOUNT_LOCKED')
    await server.core.db.write((tx) => tx.run('update sign_in_locks set locked_until = ?', [Date.now() + 600_000]))
    const { locks } = await adminJson<{ locks: object[] }>(server.dataDir, ['list', 'locks'])
    const lock = { username: 'the founder', purpose: 'founder', counted_for: 'strangers', failed: 5 }
    expect(locks).toContainEqual(expect.objectContaining(lock))
    const reset = await adminJson(server.dataDir, ['lock', 'reset', '--founder'])
    expect(reset).toEqual({ ok: true, founder: true, locksEnded: 1 })
    await browser.call(founderSessions.login, right)
    const entries = await selectAudit(server.core.db.read, "action = 'lock_reset' and target_id is null")
    expect(entries).toMatchObject([{ actor_id: 'operator', address: null }])
    expect(JSON.parse(entries[0]?.details as string)).toEqual({ counters: 1, founder: true })
    const again = await runAdmin(server.dataDir, ['lock', 'reset', '--founder'])
    expect(again).toMatchObject({ code: 0, output: 'The founder: 0 counters of failed attempts reset.\n' })
    expect(await selectAudit(server.core.db.read, "action = 'lock_reset' and target_id is null")).toHaveLength(1)
  })

  test('what needs the folder for itself is refused, changes nothing and says why', async () => {
    const ada = await server.signUp()
    const before = await lastEntry()
    // On PostgreSQL, servers reload what they have cached: cluster/operator/commands.cluster.ts.
    const onSqlite = [
      ['role', 'set', ada.user.username, 'org_admin'],
      ['factor', 'reset', ada.user.username],
    ]
    for (const given of [...(onPostgres ? [] : onSqlite), ['secret', 'rotate']]) {
      const { code, error } = await runAdmin(server.dataDir, given)
      expect([code, error]).toEqual([1, expect.stringContaining('stop the server first')])
    }
    expect(await lastEntry()).toEqual(before)
    expect((await ada.call(session.getUser, {})).role).toBe('user')
  })

  test('the log is checked and exported, and the key is named', async () => {
    const folder = await mkdtemp(joinPath(tmpdir(), 'privity-operator-'))
    try {
      const checked = await adminJson<{ entries: number }>(server.dataDir, ['audit', 'check'])
      const file = joinPath(folder, 'all.jsonl')
      expect(await adminJson(server.dataDir, ['audit', 'export', file])).toMatchObject({ entries: checked.entries })
      expect(await runAdmin(server.dataDir, ['audit', 'export', file])).toMatchObject({ code: 1 })
      const { publicKey } = await adminJson<{ publicKey: string }>(server.dataDir, ['audit', 'key'])
      expect(publicKey).toBe(server.core.auditKey.publicKey)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('with the server stopped', { timeout: 60_000 }, () => {
  test('a second factor that was lost is reset: the password alone signs in, and its owner is told', async () => {
    const ada = await server.signUp()
    await enableTotp(server, ada)
    const { username, id } = ada.user
    const right = { body: { username, password: ada.password } }
    expect((await ada.refused(session.login, right)).body.code).toBe('SECOND_FACTOR_REQUIRED')
    await stopped(async () => {
      const reset = await adminJson(server.dataDir, ['factor', 'reset', username])
      expect(reset).toEqual({ ok: true, username, sessionsEnded: 1 })
      const again = await runAdmin(server.dataDir, ['factor', 'reset', username])
      expect([again.code, again.error]).toEqual([1, expect.stringContaining('Two-factor authentication is not on.')])
    })
    expect((await ada.request('GET', '/api/user')).status).toBe(401)
    await ada.call(session.login, right)
    const { notifications: told } = await ada.call(notifications.list, { query: {} })
    expect(told.map(({ kind }) => kind)).toContain('second_factor_reset')
    const entries = await selectAudit(server.core.db.read, "action = 'user_second_factor_reset'")
    expect(entries).toMatchObject([{ actor_id: 'operator', target_id: id }])
  })

  test('a role is set by the rules: the sessions end, and the last super_admin stays', async () => {
    const made = await adminJson<Invited>(server.dataDir, ['organization', 'create', 'Clinic', 'Medical'])
    const at = { organizationId: made.organizationId }
    const [ada, ben] = [await join(server, 'super_admin', at), await join(server, 'user', at)]
    await stopped(async () => {
      const last = await runAdmin(server.dataDir, ['role', 'set', ada.user.username, 'user'])
      expect([last.code, last.error]).toEqual([1, expect.stringContaining('last Super Admin')])
      const set = await adminJson(server.dataDir, ['role', 'set', ben.user.username, 'super_admin'])
      expect(set).toMatchObject({ before: 'user', after: 'super_admin', sessionsEnded: 1 })
      expect((await runAdmin(server.dataDir, ['role', 'set', ada.user.username, 'user'])).code).toBe(0)
    })
    expect((await ben.request('GET', '/api/user')).status).toBe(401)
    const { username } = ben.user
    expect((await ben.call(session.login, { body: { username, password: ben.password } })).role).toBe('super_admin')
    const [entry] = await ben.call(auditLogs.list, { query: { action: 'user_role_changed', person: ben.user.id } })
    expect(entry).toMatchObject({ performedBy: 'Operator', details: { before: 'user', after: 'super_admin' } })
  })
})

describe('wrong use', { timeout: 60_000 }, () => {
  test.each([
    ['nothing', [], 2],
    ['an unknown command', ['dance'], 2],
    ['too few arguments', ['role', 'set', 'ada'], 2],
    ['too many', ['lock', 'reset', 'a', 'b'], 2],
    ['nobody to let in', ['lock', 'reset'], 2],
    ['the founder and somebody', ['lock', 'reset', 'a', '--founder'], 2],
    ['the founder, who has no role', ['role', 'set', 'user', '--founder'], 2],
    ['no such role', ['user', 'create', '--role', 'king'], 2],
    ['an option of another command', ['lock', 'reset', 'a', '--days', '3'], 2],
    ['an unknown option', ['list', 'users', '--all'], 2],
    ['too many days', ['user', 'create', '--days', '31'], 2],
    ['nothing of the kind to list', ['list', 'secrets'], 2],
    ['nobody of that name', ['lock', 'reset', 'nobody'], 1],
    ['a factor of nobody, and beside a server', ['factor', 'reset', 'nobody'], 1],
    ['no organization of that name', ['user', 'create', '--organization', 'Nowhere'], 1],
    ['an organization without a name', ['organization', 'create', ' ', 'Law'], 1],
  ])('%s', async (_what, given, code) => {
    const before = await lastEntry()
    const ran = await runAdmin(server.dataDir, [...given, '--json'])
    expect(ran.code).toBe(code)
    if (given.length > 0) expect(JSON.parse(ran.output)).toEqual({ ok: false, error: expect.stringMatching(/\w{4}/) })
    expect(await lastEntry()).toEqual(before)
  })

  test('the reason is the last line, after the help of the command that was meant', async () => {
    const { code, error } = await runAdmin(server.dataDir, ['role', 'set', 'ada'])
    const lines = error.trimEnd().split('\n')
    expect([code, lines[0]]).toEqual([2, 'Usage: npm run admin -- role set USERNAME ROLE'])
    expect(lines.at(-1)).toBe('"role set" takes 2 arguments here, and 1 were given.')
    const unknown = await runAdmin(server.dataDir, ['dance'])
    expect(unknown.error.trimEnd().split('\n').at(-1)).toBe('There is no command "dance".')
  })

  test('--help after a command describes that command and its options', async () => {
    const { code, output } = await runAdmin(server.dataDir, ['user', 'create', '--help'])
    expect([code, output]).toEqual([0, expect.stringMatching(/^Usage: npm run admin -- user create/)])
    for (const option of ['--role', '--organization', '--days', '--json']) expect(output).toContain(`  ${option} `)
    expect(output).not.toContain('role set')
    const check = await runAdmin(server.dataDir, ['backup', 'check', '--help'])
    expect(check.output).toContain('backup check DIR\n')
  })

  test('help states how long a renewed first invitation is valid, and until when it can be made', async () => {
    const { code, output } = await runAdmin(server.dataDir, ['invitation', 'renew', '--help'])
    const [usage, , summary = ''] = output.split('\n')
    expect([code, usage]).toEqual([0, 'Usage: npm run admin -- invitation renew'])
    expect(summary).toContain(
      `for ${limits.invitationUsual / (24 * 60 * 60 * 1000)} days, as long as there is no Super Admin`,
    )
    expect(output).not.toContain('--days')
  })

  test('help names every command; a folder without data is refused', async () => {
    const { code, output } = await runAdmin(server.dataDir, ['--help'])
    expect(code).toBe(0)
    for (const word of [
      'list',
      'user create',
      'invitation renew',
      'role set',
      'factor reset',
      'lock reset',
      'organization create',
      'backup',
      'backup check',
      'restore',
      'secret rotate',
      'audit',
    ])
      expect(output).toContain(`  ${word}`)
    // SQLite only: cluster/operator/commands.cluster.ts covers a PostgreSQL database without our data.
    const empty = await runAdmin(joinPath(server.dataDir, 'nowhere'), ['list', 'users'], { DATABASE_URL: '' })
    expect([empty.code, empty.error]).toEqual([1, expect.stringContaining('no Privity data')])
  })
})
