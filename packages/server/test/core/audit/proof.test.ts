import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { fileURLToPath } from 'node:url'
import { auditExportPath, auditLogs } from '@privity/contract/auditLogs'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { createBusyLog, exportOf, verify } from '../../support/scenes/organizationExport.ts'
import { createOrganization, join } from '../../support/scenes/organization.ts'
import { storedBytes } from '../../support/database/storedBytes.ts'

const headsOf = ({ core }: TestServer) =>
  core.db.read.all<{ n: number; seq: number; signed_at: number }>(
    'select n, seq, signed_at from audit_heads order by n',
  )
const lastSeq = async ({ core }: TestServer) =>
  (await core.db.read.get<{ seq: number }>('select max(seq) as seq from audit_log'))?.seq
const office = async (server: TestServer) => {
  const organizationId = await createOrganization(server, 'Office')
  return join(server, 'super_admin', { organizationId })
}

describe('signed heads', () => {
  test('every minute in which something was written, and when the server stops', async () => {
    await using server = await createTestServer()
    const chief = await office(server)
    await server.advance(60_000)
    const heads = await headsOf(server)
    // The first head covers the invitation that the server creates at its first start.
    expect(heads.at(-1)).toEqual({ n: 2, seq: await lastSeq(server), signed_at: server.clock.now() })
    await server.advance(180_000)
    expect(await headsOf(server)).toEqual(heads)
    await chief.call(session.generateCode, {})
    await server.restart()
    expect((await headsOf(server)).at(-1)).toMatchObject({ n: 3, seq: await lastSeq(server) })
    expect((await verify(await exportOf(chief), server.core.auditKey.publicKey)).problem).toBeUndefined()
  })

  test('are signed by a key that stays, and that the database does not show', async () => {
    await using server = await createTestServer()
    const { publicKey } = server.core.auditKey
    const stored = await server.core.db.read.get<{ value: string }>(
      "select value from settings where key = 'audit_signing_key'",
    )
    const privateKey = server.core.secrets.decryptAtRest(stored?.value ?? '')
    expect(Buffer.from(privateKey, 'base64url')).toHaveLength(48)
    await server.restart()
    expect(server.core.auditKey.publicKey).toBe(publicKey)
    await server.app.close()
    const bytes = await storedBytes(server.dataDir)
    const seed = Buffer.from(privateKey, 'base64url').subarray(16)
    expect([bytes.includes(seed), bytes.includes(privateKey)]).toEqual([false, false])
    await server.start()
  })

  test('a server with another secret than its data folder’s does not start, and says why', async () => {
    const folder = await mkdtemp(joinPath(tmpdir(), 'privity-secret-'))
    try {
      await (await createTestServer({ dataDir: folder })).close()
      await writeFile(joinPath(folder, 'server-secret'), 'x'.repeat(43))
      await expect(createTestServer({ dataDir: folder })).rejects.toThrow('secret is not the one this data folder')
      await expect(createTestServer({ dataDir: folder })).rejects.toThrow('secret is not the one this data folder')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('an export', () => {
  test('is fetched once, within 15 minutes, by the session that asked for it', async () => {
    await using server = await createTestServer()
    const [chief, other] = [await office(server), await office(server)]
    const { downloadURL, name } = await chief.call(auditLogs.createExport, { query: {} })
    expect(name).toMatch(/^privity-audit-log-\d{4}-\d\d-\d\d\.jsonl$/)
    const notFound = { status: 404, body: { code: 'NOT_FOUND' } }
    expect(await other.request('GET', downloadURL)).toMatchObject(notFound)
    expect((await server.visitor().request('GET', downloadURL)).status).toBe(401)
    const again = server.visitor()
    await again.call(session.login, { body: { username: chief.user.username, password: chief.password } })
    expect(await again.request('GET', downloadURL)).toMatchObject(notFound)
    const answer = await chief.fetch(downloadURL)
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([200, `attachment; filename="${name}"`])
    expect((await verify(await answer.text())).problem).toBeUndefined()
    expect(await chief.request('GET', downloadURL)).toMatchObject(notFound)

    const kept = await chief.call(auditLogs.createExport, { query: {} })
    await server.restart()
    expect((await verify(await (await chief.fetch(kept.downloadURL)).text())).problem).toBeUndefined()
    expect(await chief.request('GET', `${auditExportPath.replace(':id', '%00')}`)).toMatchObject(notFound)
    const late = await chief.call(auditLogs.createExport, { query: {} })
    await server.advance(limits.auditExportValid)
    expect(await chief.request('GET', late.downloadURL)).toMatchObject(notFound)
    const lost = await chief.call(auditLogs.createExport, { query: {} })
    // Only the latest export remains: the expired one is deleted.
    expect(await server.core.db.read.all('select id from audit_exports')).toHaveLength(1)
    await server.core.db.write((tx) => tx.run("update users set role = 'user' where id = ?", [chief.user.id]))
    expect((await chief.request('GET', lost.downloadURL)).status).toBe(403)
  })

  test('holds of another organization’s entries nothing but hashes, and of its people no address', async () => {
    await using server = await createTestServer()
    const { chief, member, stranger } = await createBusyLog(server, 4)
    const text = await exportOf(chief)
    expect(text).toContain(member.address)
    // The connection that both take part in names the stranger by id.
    const shared = text.split('\n').filter((line) => line.includes(stranger.user.id))
    expect(shared.map((line) => (JSON.parse(line) as { action: string }).action)).toEqual(['connection_created'])
    expect(text).not.toContain(stranger.address)
    for (const word of [stranger.user.username, stranger.user.email, stranger.user.lastName])
      expect(text).not.toContain(word)
    const bare = text.split('\n').filter((line) => line.includes('"leaf"'))
    expect(bare.length).toBeGreaterThan(3)
    for (const line of bare) expect(Object.keys(JSON.parse(line) as object)).toEqual(['seq', 'leaf', 'hash'])
    // Conversely, the stranger's export contains the shared entry without the address of our member.
    const theirs = await exportOf(stranger)
    expect(theirs).toContain('connection_created')
    expect(theirs).not.toContain(member.address)
    expect((await verify(theirs)).problem).toBeUndefined()
  })

  test('two exports for the same organization show the same past: the later continues the earlier', async () => {
    await using server = await createTestServer()
    const { chief, member } = await createBusyLog(server, 4)
    const earlier = (await exportOf(chief)).split('\n')
    await member.call(session.generateCode, {})
    const later = new Set((await exportOf(chief)).split('\n'))
    const entries = earlier.filter((line) => /^\{"(seq|head)"/.test(line))
    expect(entries.filter((line) => !later.has(line))).toEqual([])
  })
})

describe('addresses', () => {
  test('are gone from the database files after 90 days, and the log proves itself as before', async () => {
    await using server = await createTestServer()
    const { chief, member } = await createBusyLog(server, 4)
    const old = member.address
    const before = await verify(await exportOf(chief), server.core.auditKey.publicKey)
    const fullEntries = async () =>
      (await exportOf(chief))
        .split('\n')
        .filter((line) => line.includes('"actorId":'))
        .map((line) => JSON.parse(line) as { address: object | null; addressCommitment: string | null; hash: string })
    const hashes = (await fullEntries()).map(({ hash }) => hash)
    expect(before.problem).toBeUndefined()
    await server.advance(limits.auditAddressesKept - 2 * 60 * 60 * 1000)
    const kept = await server.core.db.read.get<{ salt: string }>('select salt from audit_addresses where address = ?', [
      old,
    ])
    const salt = kept?.salt ?? ''
    const inFiles = async () => (await storedBytes(server.dataDir)).includes(salt)
    expect([salt.length, await inFiles()]).toEqual([43, true])

    await server.advance(3 * 60 * 60 * 1000)
    await server.advance(60_000)
    expect(await inFiles()).toBe(false)
    const login = { body: { username: chief.user.username, password: chief.password } }
    await chief.call(session.login, login)
    expect(await server.core.db.read.get('select 1 from audit_addresses where address = ?', [old])).toBeUndefined()
    const entries = await fullEntries()
    expect(entries.slice(0, hashes.length).map(({ hash }) => hash)).toEqual(hashes)
    const first = entries[0]
    expect([first?.address, first?.addressCommitment]).toEqual([null, expect.stringMatching(/^[\w-]{43}$/)])
    const text = await exportOf(chief)
    expect((await verify(text, server.core.auditKey.publicKey)).problem).toBeUndefined()
    expect(text).not.toContain(`"${old}"`)
  })
})

describe('npm run verify-audit', () => {
  const program = fileURLToPath(new URL('../../../src/verifyAudit.ts', import.meta.url))
  const run = (...given: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...given], { encoding: 'utf8' })
    return { status, stdout, stderr }
  }

  test('says by its exit code and its words whether a file is whole', { timeout: 60_000 }, async () => {
    await using server = await createTestServer()
    const { chief } = await createBusyLog(server, 4)
    const text = await exportOf(chief)
    const key = server.core.auditKey.publicKey
    const folder = await mkdtemp(joinPath(tmpdir(), 'privity-verify-'))
    try {
      const [good, bad] = [joinPath(folder, 'good.jsonl'), joinPath(folder, 'bad.jsonl')]
      await writeFile(good, text)
      await writeFile(bad, text.replace('connection_code_replaced', 'connection_code_replacee'))
      const whole = run(good)
      expect([whole.status, whole.stdout]).toEqual([
        0,
        expect.stringMatching(/^Whole: entries 1 to \d+[^]*Compare this fingerprint/),
      ])
      const { fingerprint } = await verify(text)
      for (const given of [key, fingerprint ?? '']) {
        const pinned = run(good, '--key', given)
        expect([pinned.status, pinned.stdout]).toEqual([0, expect.stringContaining(`key you gave, ${fingerprint}`)])
      }
      const altered = run(bad)
      expect([altered.status, altered.stdout]).toEqual([
        1,
        expect.stringMatching(/^NOT WHOLE: Entry \d+ was altered \(line \d+\)/),
      ])
      const json = JSON.parse(run(bad, '--json').stdout) as object
      expect(json).toMatchObject({ ok: false, problem: { kind: 'altered', part: 'entry' }, pinned: false })
      expect(run(good, '--key', 'A'.repeat(43))).toMatchObject({ status: 1 })
      expect(run(joinPath(folder, 'none.jsonl'))).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('ENOENT'),
      })
      expect(run()).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage') })
      expect(run(good, '--unknown').status).toBe(2)
      expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--key') })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
