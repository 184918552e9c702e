import { platformColumns } from '@privity/contract/founder/platformExportFormat'
import { limits, rateLimits } from '@privity/contract/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../../../src/core/audit/audit.ts'
import { newId } from '../../../../src/core/ids.ts'
import { createTestServer, type Member, type TestServer } from '../../../support/server/testServer.ts'
import { selectAudit } from '../../../support/scenes/auditEntries.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { signInFounder } from '../../../support/founder/founder.ts'
import {
  address,
  column,
  createLogs,
  day,
  exported,
  readCsv,
  rowsOf,
  verify,
} from '../../../support/founder/platformExport.ts'
import { refuse } from '../../../support/database/schema.ts'

const many = { requests: 100_000, window: 1000 }
let server: TestServer
let founder: Caller
let anna: Member
let ben: Member
beforeAll(async () => {
  server = await createTestServer({ options: { rateLimits: { dataExport: many, other: many } } })
  founder = await signInFounder(server)
  ;({ anna, ben } = await createLogs(server))
})
afterAll(() => server.close())

describe('what is in it', () => {
  test('every audit entry and security event, newest first, with current names', async () => {
    const { text } = await exported(server, founder, 'json')
    const rows = rowsOf(text)
    const entries = rows.filter(({ kind }) => kind === 'audit_entry')
    const stored = await selectAudit(server.core.db.read)
    expect(entries.map(({ id }) => Number(id))).toEqual(stored.map(({ seq }) => seq).toReversed())
    const events = await server.core.db.read.all<{ id: string }>(
      'select id from security_events order by created_at desc, id desc',
    )
    expect(rows.filter(({ kind }) => kind === 'security_event').map(({ id }) => id)).toEqual(events.map(({ id }) => id))
    expect(rows.map(({ no }) => no)).toEqual(rows.map((_, at) => at + 1))
    const times = rows.map(({ time }) => time)
    expect(times).toEqual(times.toSorted().toReversed())
    for (const row of rows) expect(Object.keys(row)).toEqual([...platformColumns])
    expect(entries[0]).toMatchObject({
      action: 'platform_logs_exported',
      performedBy: 'Founder',
      performedById: 'founder',
    })
    expect(entries.find(({ action }) => action === 'account_created')).toMatchObject({
      performedBy: 'First ben Last ben',
      address: ben.address,
    })
    const reported = rows.find(({ action }) => action === 'screenshot_attempt')
    expect(reported).toMatchObject({
      kind: 'security_event',
      severity: 'high',
      performedBy: `${ben.user.firstName} ${ben.user.lastName}`,
      performedById: ben.user.id,
      path: '/settings',
      description: 'A key was pressed',
      details: { shortcut: 'PrintScreen' },
    })
  })

  test('the CSV holds the same rows under the same names, and the proof behind them', async () => {
    const [{ text: json }, { text: csv }] = [
      await exported(server, founder, 'json'),
      await exported(server, founder, 'csv'),
    ]
    expect(csv.startsWith('\uFEFFno,kind,id,time,')).toBe(true)
    const [head, ...records] = readCsv(csv.slice(1))
    expect(head).toEqual([...platformColumns])
    expect(records.at(-1)?.[column('kind')]).toBe('proof')
    const [, ...rest] = records.slice(0, -1)
    const rows = rowsOf(json)
    expect(rest.map((record) => [record[column('kind')], record[column('id')], record[column('time')]])).toEqual(
      rows.map(({ kind, id, time }) => [kind, id, time]),
    )
    const details = rest.map((record) => JSON.parse(record[column('details')] ?? '') as unknown)
    expect(details).toEqual(rows.map((row) => row['details']))
  })

  test('one type of event: only these, and none of the log', async () => {
    const { text } = await exported(server, founder, 'json', { eventType: 'copy_attempt' })
    expect(new Set(rowsOf(text).map(({ kind, action }) => `${kind} ${action}`))).toEqual(
      new Set(['security_event copy_attempt']),
    )
    expect(rowsOf(text)).toHaveLength(2)
    const none = await exported(server, founder, 'csv', { eventType: 'print_attempt' })
    expect(readCsv(none.text)).toHaveLength(2)
    expect((await verify(none.text)).problem).toBeUndefined()
    const all = await exported(server, founder, 'json', { eventType: 'all' })
    expect(rowsOf(all.text).length).toBeGreaterThan(10)
  })

  test('from the start to the end, both of them in it to the millisecond', async () => {
    const dates = (from: number, to: number) => ({
      startDate: new Date(from).toISOString(),
      endDate: new Date(to).toISOString(),
    })
    const rows = rowsOf((await exported(server, founder, 'json')).text).map(({ time }) => Date.parse(time))
    const some = rows[rows.length >> 1] as number
    const only = rowsOf((await exported(server, founder, 'json', dates(some, some))).text)
    expect(only.length).toBe(rows.filter((time) => time === some).length)
    expect(rowsOf((await exported(server, founder, 'json', dates(some + 1, some + 1))).text)).toEqual([])
    expect(rowsOf((await exported(server, founder, 'json', dates(some - 20 * day, some - 10 * day))).text)).toEqual([])
  })

  test('no content, key, hash of a password or token', async () => {
    const { text } = await exported(server, founder, 'json')
    const rows = await server.core.db.read.all<Record<string, unknown>>('select * from users')
    for (const row of rows)
      for (const secret of [row['password_hash'], row['wrapped_account_key'], row['connection_code']])
        expect(text).not.toContain(String(secret))
    for (const cookie of [...founder.cookies.values(), ...anna.cookies.values()]) expect(text).not.toContain(cookie)
  })

  test('10,000 rows at most, the newest, in pieces', { timeout: 60_000 }, async () => {
    await using own = await createTestServer()
    const chief = await signInFounder(own)
    const start = own.clock.now()
    await own.core.db.write(async (tx) => {
      for (let n = 0; n < limits.exportRows + 700; n++)
        await tx.run(
          `insert into security_events (id, event_type, severity, created_at) values (?, 'copy_attempt', 'low', ?)`,
          [newId(start - n), start - Math.floor(n / 3)],
        )
    })
    const { text } = await exported(own, chief, 'json')
    const rows = rowsOf(text)
    expect(rows).toHaveLength(limits.exportRows)
    expect(rows[0]?.time).toBe(new Date(start).toISOString())
    expect(new Set(rows.map(({ id }) => id)).size).toBe(limits.exportRows)
    const verdict = await verify(text)
    expect([verdict.problem, verdict.rows]).toEqual([undefined, limits.exportRows])
    const typed = await exported(own, chief, 'csv', { eventType: 'copy_attempt' })
    expect((await verify(typed.text)).rows).toBe(limits.exportRows)
  })
})

describe('the file', () => {
  test.each([
    ['csv', 'text/csv; charset=utf-8'],
    ['json', 'application/json; charset=utf-8'],
  ] as const)('%s: its name and type', async (format, type) => {
    const { headers } = await exported(server, founder, format, { startDate: '2026-01-08', endDate: '2026-01-16' })
    expect(headers.get('content-disposition')).toBe(`attachment; filename="audit_logs_2026-01-08_2026-01-16.${format}"`)
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([type, 'no-store'])
  })

  test('no cell is a formula, and a record is one line, whatever people call themselves', async () => {
    const own = await server.signUp('formula')
    await server.core.db.write((tx) =>
      tx.run('update users set first_name = ?, last_name = ? where id = ?', [
        '=HYPERLINK("x")',
        'a\r\nb,"c"',
        own.user.id,
      ]),
    )
    const { text } = await exported(server, founder, 'csv')
    const records = readCsv(text.slice(1))
    expect(records.some((record) => record.includes(`'=HYPERLINK("x") a b,"c"`))).toBe(true)
    for (const cell of records.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
    expect(text.trimEnd().split('\r\n')).toHaveLength(records.length)
    expect((await verify(text)).problem).toBeUndefined()
    await server.core.db.write((tx) =>
      tx.run("update users set first_name = 'First', last_name = 'Last' where id = ?", [own.user.id]),
    )
  })

  test('no semicolon begins a formula, in a name or in the details, and the verifier takes it', async () => {
    const name = String.raw`;=HYPERLINK("x") \u003b \;=1`
    const own = await server.signUp('semicolon')
    await server.core.db.write(async (tx) => {
      await tx.run('update users set first_name = ? where id = ?', [name, own.user.id])
      await audit(tx, {
        action: 'organization_changed',
        actorId: own.user.id,
        address: own.address,
        details: { after: name },
        at: server.clock.now(),
      })
    })
    const { text } = await exported(server, founder, 'csv')
    expect(text).not.toMatch(/[;\t][\s"]*[=+\-@]/)
    const records = readCsv(text.slice(1))
    const entry = records.find((record) => record[column('action')] === 'organization_changed')
    expect(JSON.parse(entry?.[column('details')] ?? '')).toEqual({ after: name })
    expect(entry?.[column('performedBy')]).toContain(`;'=HYPERLINK`)
    expect((await verify(text)).problem).toBeUndefined()
    await server.core.db.write((tx) => tx.run("update users set first_name = 'First' where id = ?", [own.user.id]))
  })

  test('is in the log itself, with who asked for what', async () => {
    const before = (await selectAudit(server.core.db.read, "action = 'platform_logs_exported'")).length
    await exported(server, founder, 'csv', {
      eventType: 'copy_attempt',
      startDate: '2026-01-08',
      endDate: '2026-01-16',
    })
    const entries = await selectAudit(server.core.db.read, "action = 'platform_logs_exported'")
    expect(entries).toHaveLength(before + 1)
    expect(entries.at(-1)).toMatchObject({ actor_id: 'founder', address: founder.address })
    expect(JSON.parse(entries.at(-1)?.details ?? '')).toEqual({
      format: 'csv',
      startDate: Date.UTC(2026, 0, 8),
      endDate: Date.UTC(2026, 0, 16),
      eventType: 'copy_attempt',
    })
  })

  test('is not given where its entry cannot be written', async () => {
    const allow = await refuse(server.core.db, 'audit_log')
    await expect(exported(server, founder, 'json')).rejects.toThrow('answered 500')
    await allow()
  })

  test('who goes away in the middle leaves nothing behind, and others are served', async () => {
    const now = new Date(server.clock.now()).toISOString()
    for (let n = 0; n < 5; n++) {
      const gone = new AbortController()
      const answer = await founder.fetch(address({ format: 'csv', startDate: '2020-01-01', endDate: now }), {
        signal: gone.signal,
      })
      gone.abort()
      await expect(answer.text()).rejects.toThrow()
    }
    expect((await verify((await exported(server, founder, 'json')).text)).problem).toBeUndefined()
  })
})

describe('who asks for what there is not', () => {
  const now = '2026-01-15T12:00:00.000Z'
  test.each([
    [{ format: 'csv' }, 'Please select both start and end dates.'],
    [{ format: 'csv', startDate: now }, 'Please select both start and end dates.'],
    [{ format: 'csv', startDate: '', endDate: now }, 'Please select both start and end dates.'],
    [{ format: 'csv', startDate: now, endDate: '2026-01-15T11:59:59.999Z' }, 'The end date is before the start date.'],
    [{ format: 'csv', startDate: '1969-01-01', endDate: now }, 'Please select dates between the years 2000 and 2100.'],
    [{ format: 'csv', startDate: now, endDate: '9999-12-31' }, 'Please select dates between the years 2000 and 2100.'],
    [{ format: 'xml', startDate: now, endDate: now }, 'Some of the information sent is not valid.'],
    [{ startDate: now, endDate: now }, 'Some of the information sent is not valid.'],
    [{ format: 'csv', startDate: 'yesterday', endDate: now }, 'Some of the information sent is not valid.'],
    [{ format: 'csv', startDate: '2026-02-31', endDate: now }, 'Some of the information sent is not valid.'],
    [
      { format: 'csv', startDate: now, endDate: now, eventType: "x' or 1=1" },
      'Some of the information sent is not valid.',
    ],
    [
      { format: 'csv', startDate: now, endDate: now, eventType: 'failed_sign_in' },
      'Some of the information sent is not valid.',
    ],
  ] as [Record<string, string>, string][])('%j', async (query, error) => {
    const before = (await selectAudit(server.core.db.read)).length
    const answer = await founder.request('GET', address(query))
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT', error } })
    expect((await selectAudit(server.core.db.read)).length).toBe(before)
  })

  test('dates given twice are none', async () => {
    const twice = `/api/founder/audit-logs/export?format=csv&startDate=2026-01-01&startDate=2026-01-02&endDate=2026-01-03`
    expect((await founder.request('GET', twice)).status).toBe(400)
  })

  test('nobody but the founder is given it, whatever else is wrong', async () => {
    for (const query of [{}, { format: 'csv', startDate: now, endDate: now }])
      for (const caller of [server.visitor(), anna])
        expect(await caller.request('GET', address(query as Record<string, string>))).toMatchObject({
          status: 401,
          body: { code: 'NOT_FOUNDER' },
        })
  })

  test('so many in an hour', async () => {
    await using own = await createTestServer()
    const chief = await signInFounder(own)
    for (let n = 0; n < rateLimits.dataExport.requests; n++) await exported(own, chief, 'csv')
    await expect(exported(own, chief, 'csv')).rejects.toThrow('answered 429')
  })
})
