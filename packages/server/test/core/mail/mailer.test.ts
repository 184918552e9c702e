import Fastify, { type FastifyBaseLogger } from 'fastify'
import { describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../../../src/core/config/config.ts'
import { createMail, type Email, retryDelaysMs, transportOptions } from '../../../src/core/mail/mailer.ts'
import { createFakeClock } from '../../support/server/fakeClock.ts'
import { createMailServer, freePort } from '../../support/services/mailServer.ts'

const letter: Email = { to: 'help@example.org', subject: 'Good morning', text: 'A plain text.\nWith two lines.' }

/** Records every log line as text; `logged` waits for a line with these words. */
function createLog() {
  const lines: string[] = []
  const waiting: { words: string; count: number; resolve: () => void }[] = []
  const having = (words: string) => lines.filter((line) => line.includes(words)).length
  const write = (line: string) => {
    lines.push(line)
    for (const each of waiting) if (having(each.words) >= each.count) each.resolve()
  }
  const log: FastifyBaseLogger = Fastify({ logger: { level: 'debug', stream: { write } } }).log
  const logged = (words: string, count = 1) =>
    new Promise<void>((resolve) => (having(words) >= count ? resolve() : waiting.push({ words, count, resolve })))
  return { log, lines, logged }
}

const mailOf = (SMTP_URL: string, more: Record<string, string> = {}) => loadConfig({ SMTP_URL, ...more }).mail

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('sending', () => {
  test('hands a letter to the mail server, with its sender, its answer address and its id', async () => {
    await using server = await createMailServer({ password: 'pass word' })
    const config = mailOf(`smtp://relay:pass%20word@127.0.0.1:${server.port}`, { MAIL_FROM: 'Privity@Example.org' })
    const mail = createMail(config, createFakeClock(), createLog().log)
    expect(mail.configured).toBe(true)
    const sent = await mail.send({ ...letter, replyTo: 'amara@example.com', messageId: 'one@example.org' })
    expect(sent).toBe(true)
    expect(server.delivered).toHaveLength(1)
    const [got] = server.delivered
    expect(got).toMatchObject({ from: 'privity@example.org', to: ['help@example.org'], user: 'relay' })
    for (const line of ['Subject: Good morning', 'Reply-To: amara@example.com', 'Message-ID: <one@example.org>'])
      expect(got?.source).toContain(line)
    expect(got?.source).toContain('With two lines.')
  })

  test('a subject cannot add headers or recipients', async () => {
    await using server = await createMailServer()
    const mail = createMail(mailOf(server.url), createFakeClock(), createLog().log)
    await mail.send({ ...letter, subject: 'Hello\r\nBcc: other@example.org\r\n\r\nbody' })
    expect(server.delivered[0]?.to).toEqual(['help@example.org'])
    expect(server.delivered[0]?.source).not.toMatch(/^Bcc:/im)
  })

  test('not set up: says so, and sends nothing', async () => {
    const mail = createMail(undefined, createFakeClock(), createLog().log)
    expect(mail.configured).toBe(false)
    expect(await mail.send(letter)).toBe(false)
  })
})

describe('trouble', () => {
  test('a mail server that is down is tried again until it is back', async () => {
    const port = await freePort()
    const clock = createFakeClock()
    const { log, logged } = createLog()
    const mail = createMail(mailOf(`smtp://127.0.0.1:${port}`), clock, log)
    const sent = mail.send(letter)
    await logged('will be retried')
    clock.advance(retryDelaysMs[0])
    await logged('will be retried', 2)
    await using server = await createMailServer({ port })
    clock.advance(retryDelaysMs[1] - 1)
    expect(server.delivered).toHaveLength(0)
    clock.advance(1)
    expect(await sent).toBe(true)
    expect(server.delivered).toHaveLength(1)
  })

  test('a passing refusal (4xx) is tried again, five times, then given up', async () => {
    await using server = await createMailServer()
    server.refuseWith(451)
    const clock = createFakeClock()
    const { log, logged } = createLog()
    const mail = createMail(mailOf(server.url), clock, log)
    const sent = mail.send(letter)
    for (const [at, pause] of retryDelaysMs.entries()) {
      await logged('will be retried', at + 1)
      clock.advance(pause)
    }
    expect(await sent).toBe(false)
    await server.seen(1 + retryDelaysMs.length)
    expect(server.delivered).toHaveLength(0)
  })

  test('a lasting refusal (5xx) is given up at once', async () => {
    await using server = await createMailServer()
    server.refuseWith(550)
    const mail = createMail(mailOf(server.url), createFakeClock(), createLog().log)
    expect(await mail.send(letter)).toBe(false)
  })

  test('a wrong password is tried again: the operator may mend it', async () => {
    await using server = await createMailServer({ password: 'right' })
    const { log, logged } = createLog()
    const mail = createMail(mailOf(`smtp://relay:wrong@127.0.0.1:${server.port}`), createFakeClock(), log)
    const sent = mail.send(letter)
    await logged('will be retried')
    await mail.close()
    expect(await sent).toBe(false)
  })

  test('the log holds no address, text or password', async () => {
    await using server = await createMailServer({ password: 'right' })
    server.refuseWith(550)
    const { log, lines, logged } = createLog()
    const clock = createFakeClock()
    const wrong = createMail(mailOf(`smtp://relay:wr0ng@127.0.0.1:${server.port}`), clock, log)
    void wrong.send({ ...letter, text: 'Private matters' })
    await logged('will be retried')
    const refused = createMail(mailOf(`smtp://relay:right@127.0.0.1:${server.port}`), clock, log)
    await refused.send({ ...letter, text: 'Private matters' })
    await wrong.close()
    expect(lines.join()).not.toMatch(/help@|Good morning|Private|wr0ng|relay/)
  })

  test('stopping answers what still waits', async () => {
    const { log, logged } = createLog()
    const mail = createMail(mailOf(`smtp://127.0.0.1:${await freePort()}`), createFakeClock(), log)
    const sent = mail.send(letter)
    await logged('will be retried')
    await mail.close()
    expect(await sent).toBe(false)
    expect(await mail.send(letter)).toBe(false)
  })
})

describe('configuration', () => {
  test.each([
    ['smtp://mail.example.org', { host: 'mail.example.org', port: 587, secure: false, auth: undefined }],
    ['smtps://mail.example.org', { port: 465, secure: true }],
    ['smtp://a%40b.org:p%3A%2F@mail.example.org:2525/', { port: 2525, auth: { user: 'a@b.org', pass: 'p:/' } }],
    ['smtp://[::1]:25', { host: '::1', port: 25 }],
  ])('SMTP_URL=%s', (url, expected) => {
    expect(mailOf(url)).toMatchObject(expected)
  })

  test.each([
    'mail.example.org',
    'https://user:hunter2@mail.example.org',
    'smtp://user:hunter2@',
    'smtp://user@mail.example.org',
    'smtp://user:hunter2@mail.example.org/inbox',
    'smtp://user:hunter2@mail.example.org?tls.rejectUnauthorized=false',
  ])('SMTP_URL=%s is refused, without repeating it', (url) => {
    const problems = problemsOf({ SMTP_URL: url })
    expect(problems).toHaveLength(1)
    expect(problems.join()).not.toContain('hunter2')
  })

  test('the sender is MAIL_FROM, else the name at the mail server, else privity at the public host', () => {
    const url = 'smtp://relay%40example.org:x@mail.example.org'
    expect(mailOf(url, { MAIL_FROM: 'no-reply@example.org' })?.from).toBe('no-reply@example.org')
    expect(mailOf(url)?.from).toBe('relay@example.org')
    const plain = mailOf('smtp://mail.example.org', { PUBLIC_URL: 'https://chat.example.org' })
    expect(plain?.from).toBe('privity@chat.example.org')
  })

  test('nothing is sent over a network without TLS', () => {
    const options = (url: string) => transportOptions(mailOf(url) as NonNullable<ReturnType<typeof mailOf>>)
    expect(options('smtp://mail.example.org')).toMatchObject({ secure: false, requireTLS: true, ignoreTLS: false })
    expect(options('smtps://mail.example.org')).toMatchObject({ secure: true })
    expect(options('smtp://127.0.0.1')).toMatchObject({ requireTLS: false, ignoreTLS: true })
  })

  test('addresses must be addresses; a support address without a mail server is warned about', () => {
    expect(problemsOf({ MAIL_FROM: 'privity', SUPPORT_EMAIL: 'help@' })).toHaveLength(2)
    const config = loadConfig({ SUPPORT_EMAIL: 'Help@Example.org' })
    expect([config.supportEmail, config.warnings.length]).toEqual(['help@example.org', 1])
    expect(loadConfig({ SUPPORT_EMAIL: 'help@example.org', SMTP_URL: 'smtp://127.0.0.1' }).warnings).toEqual([])
  })
})
