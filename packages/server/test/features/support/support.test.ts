import { config } from '@privity/contract/config'
import { limits, rateLimits } from '@privity/contract/limits'
import { support, type SupportRequest } from '@privity/contract/support'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SupportRequestRow } from '../../../src/core/database/tables/founder.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { selectAudit } from '../../support/scenes/auditEntries.ts'
import { createMailServer, freePort, type MailServer } from '../../support/services/mailServer.ts'
import { storedBytes } from '../../support/database/storedBytes.ts'

const many = { requests: 100_000, window: 1000 }
let server: TestServer
let member: Member
beforeAll(async () => {
  server = await createTestServer({ options: { rateLimits: { other: many, supportRequest: many } } })
  member = await server.signUp()
})
afterAll(() => server.close())

const id = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
const draft = {
  subject: 'Code does not work',
  category: 'connections',
  message: 'My colleague types it,\nand nothing happens.',
} as const

const stored = ({ core }: TestServer = server) =>
  core.db.read.all<SupportRequestRow>('select * from support_requests order by created_at, id')
const entries = ({ core }: TestServer = server) => selectAudit(core.db.read, "action = 'support_request_created'")

describe('asking for support', () => {
  test('is stored, answered with its reference, and listed newest first with its state', async () => {
    const anna = await server.signUp()
    const first = await anna.call(support.create, { body: draft })
    expect(first).toMatchObject({ ...draft, priority: 'normal', state: 'open', createdAt: server.clock.now() })
    expect(first.reference).toMatch(/^PR-[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/)
    server.clock.advance(1000)
    const second = await anna.call(support.create, { body: { ...draft, priority: 'urgent' } })
    expect(second.reference).not.toBe(first.reference)
    expect(await anna.call(support.list, {})).toEqual([second, first])
  })

  test('so many are listed that the list stays quick, the newest; all stay stored', async () => {
    const anna = await server.signUp()
    const before = (await stored()).length
    const asked: SupportRequest[] = []
    for (let at = 0; at <= limits.supportRequestsListed; at++) {
      server.clock.advance(1)
      asked.push(await anna.call(support.create, { body: draft }))
    }
    expect(await anna.call(support.list, {})).toEqual(asked.slice(1).toReversed())
    expect((await stored()).length - before).toBe(asked.length)
  })

  test("is nobody else's to see", async () => {
    const [anna, ben] = [await server.signUp(), await server.signUp()]
    const made = await anna.call(support.create, { body: draft })
    expect(await ben.call(support.list, {})).toEqual([])
    const same = await ben.call(support.create, { body: { ...draft, id: id(7) } })
    const own = await anna.call(support.create, { body: { ...draft, id: id(7), subject: 'Mine' } })
    expect(new Set([made.id, same.id, own.id]).size).toBe(3)
    expect((await ben.call(support.list, {})).map((each) => each.id)).toEqual([same.id])
  })

  test('sent again after a lost answer it is stored once, and answered alike', async () => {
    const anna = await server.signUp()
    const before = [(await stored()).length, (await entries()).length]
    const body = { ...draft, id: id(1) }
    const answers = await Promise.all([1, 2, 3].map(() => anna.call(support.create, { body })))
    answers.push(await anna.call(support.create, { body }))
    expect(new Set(answers.map(({ reference }) => reference)).size).toBe(1)
    expect([(await stored()).length, (await entries()).length]).toEqual(before.map((count) => count + 1))
  })

  test('leaves an entry without what was written, and nothing readable in the database files', async () => {
    await using own = await createTestServer()
    const anna = await own.signUp()
    const made = await anna.call(support.create, { body: draft })
    const [entry] = await entries(own)
    expect(entry).toMatchObject({ actor_id: anna.user.id, target_id: made.id, address: anna.address })
    expect(JSON.parse(entry?.details ?? '')).toEqual({
      reference: made.reference,
      category: 'connections',
      priority: 'normal',
    })
    const bytes = await storedBytes(own.dataDir)
    for (const text of ['Code does not work', 'My colleague']) expect(bytes.includes(text)).toBe(false)
    await own.restart()
    expect(await anna.call(support.list, {})).toEqual([made])
  })

  test('five an hour and account; a resend counts for nothing', async () => {
    await using own = await createTestServer()
    const [anna, ben] = [await own.signUp(), await own.signUp()]
    const { requests, window } = rateLimits.supportRequest
    for (let n = 0; n < requests; n++) await anna.call(support.create, { body: { ...draft, id: id(n) } })
    await anna.call(support.create, { body: { ...draft, id: id(0) } })
    const refused = await anna.refused(support.create, { body: draft })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(window / 1000)])
    await ben.call(support.create, { body: draft })
    own.clock.advance(window)
    await anna.call(support.create, { body: draft })
    expect(await stored(own)).toHaveLength(requests + 2)
  })
})

const spoilt: Record<string, unknown[]> = {
  subject: [
    ...['', '   ', 'x'.repeat(121), 'a\nb', 'a\0b', null, 5, {}],
    ...['a\u2028b', 'a\u202eb', 'a\u2066b', '\u200b', 'From: the bank', ' reply-to : x@example.com'],
  ],
  category: ['', 'General', 'other', null, 5],
  message: ['', ' \n ', 'x'.repeat(4001), 'a\0b', null, 5, {}],
  priority: ['', 'NORMAL', 'critical', null, 1],
  id: ['', 'x', null, 5],
}

describe.each(Object.entries(spoilt))('bad %s', (field, values) => {
  test.each(values.map((value) => [value]))('%j is refused and nothing is stored', async (value) => {
    const before = [await stored(), await entries()]
    const answer = await member.request('POST', '/api/support-requests', { ...draft, [field]: value })
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT', details: [{ path: field }] } })
    expect([await stored(), await entries()]).toEqual(before)
  })
})

test.each(['subject', 'category', 'message'])('%s may not be left out', async (field) => {
  const answer = await member.request('POST', '/api/support-requests', { ...draft, [field]: undefined })
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path: field }] } })
})

describe('mail', () => {
  const withMail = (url: string, dataDir?: string) =>
    createTestServer({
      env: { SMTP_URL: url, SUPPORT_EMAIL: 'help@example.org', LOG_LEVEL: 'silent' },
      options: { rateLimits: { supportRequest: many } },
      ...(dataDir === undefined ? {} : { dataDir }),
    })
  const mailed = async (own: TestServer, count: number) =>
    expect.poll(async () => (await stored(own)).filter(({ mailed_at }) => mailed_at !== null)).toHaveLength(count)
  const subjects = ({ delivered }: MailServer) =>
    delivered.map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1]?.trim())
  const titled = ({ reference, subject }: SupportRequest) => `[${reference}] ${subject}`

  test('goes to SUPPORT_EMAIL with what was written, to be answered to the author', async () => {
    await using mail = await createMailServer()
    await using own = await withMail(mail.url)
    const anna = await own.signUp()
    const made = await anna.call(support.create, { body: draft })
    await mailed(own, 1)
    expect(mail.delivered).toHaveLength(1)
    expect(mail.delivered[0]?.to).toEqual(['help@example.org'])
    const source = mail.delivered[0]?.source ?? ''
    expect(subjects(mail)).toEqual([titled(made)])
    for (const text of [`Reply-To: ${anna.user.email}`, made.reference, 'and nothing happens.', anna.user.username])
      expect(source).toContain(text)
  })

  test('no line of the author passes for one of the letter itself', async () => {
    await using mail = await createMailServer()
    await using own = await withMail(mail.url)
    const anna = await own.signUp()
    const name = { firstName: 'Bank <boss@bank.example>', lastName: '"Berg"' }
    await anna.request('PATCH', '/api/user', { ...name, email: anna.user.email })
    const message = 'Help.\nPriority: urgent\r\nFrom: boss <boss@bank.example>\u2028Reference: PR-AAAA-2222'
    await anna.call(support.create, { body: { ...draft, message } })
    await mailed(own, 1)
    const source = (mail.delivered[0]?.source ?? '').replaceAll('=\r\n', '').replaceAll('=3C', '<')
    const lines = source.split(/\r\n|[\r\n\u2028]/u)
    for (const label of ['Priority:', 'Reference:'])
      expect(lines.filter((line) => line.startsWith(label))).toHaveLength(1)
    expect(lines).toContain(`From: "Bank boss@bank.example Berg" (${anna.user.username}) <${anna.user.email}>`)
    expect(lines).toContain('> From: boss <boss@bank.example>')
  })

  test('no subject is an encoded word, which mail programs read as other characters', async () => {
    await using mail = await createMailServer()
    await using own = await withMail(mail.url)
    // RFC 2047: a mark that turns the direction of text, then "From: a".
    const subject = 'Help =?utf-8?B?4oCuRnJvbTogYQ==?='
    const made = await (await own.signUp()).call(support.create, { body: { ...draft, subject } })
    await mailed(own, 1)
    expect(subjects(mail)).toEqual([`[${made.reference}] Help = ?utf-8?B?4oCuRnJvbTogYQ== ?=`])
  })

  test('a mail server that is down neither delays nor fails the call; the letter follows, once', async () => {
    const port = await freePort()
    await using own = await withMail(`smtp://127.0.0.1:${port}`)
    const anna = await own.signUp()
    const made = await anna.call(support.create, { body: draft })
    expect(await anna.call(support.list, {})).toEqual([made])
    await using mail = await createMailServer({ port })
    await expect
      .poll(async () => {
        await own.advance(30_000)
        return mail.delivered
      })
      .toHaveLength(1)
    await mailed(own, 1)
    await own.advance(3 * 60 * 60_000)
    expect(subjects(mail)).toEqual([titled(made)])
  })

  test('what was not mailed before a stop is mailed after the next start', async () => {
    const port = await freePort()
    await using own = await withMail(`smtp://127.0.0.1:${port}`)
    const anna = await own.signUp()
    const made = await anna.call(support.create, { body: draft })
    await own.app.close()
    await using mail = await createMailServer({ port })
    await own.start()
    await mailed(own, 1)
    expect(subjects(mail)).toEqual([titled(made)])
  })

  test('several at once are mailed once each', async () => {
    await using mail = await createMailServer()
    await using own = await withMail(mail.url)
    const anna = await own.signUp()
    const made = await Promise.all(Array.from({ length: 8 }, () => anna.call(support.create, { body: draft })))
    await mailed(own, made.length)
    await own.advance(60 * 60_000)
    expect(subjects(mail).sort()).toEqual(made.map(titled).sort())
  })

  test('without SUPPORT_EMAIL nothing is mailed, and requests are kept all the same', async () => {
    await using mail = await createMailServer()
    await using own = await createTestServer({ env: { SMTP_URL: mail.url } })
    const anna = await own.signUp()
    await anna.call(support.create, { body: draft })
    await own.advance(2 * 60 * 60_000)
    expect([mail.delivered.length, (await stored(own)).length]).toEqual([0, 1])
  })

  test('GET /api/config names the address to write to, where there is one', async () => {
    await using own = await createTestServer({ env: { SUPPORT_EMAIL: 'help@example.org' } })
    expect((await own.visitor().call(config.get, {})).supportEmail).toBe('help@example.org')
    expect((await server.visitor().call(config.get, {})).supportEmail).toBeUndefined()
  })
})
