import { recovery } from '@privity/contract/recovery'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { loggerOptions } from '../../../src/core/log.ts'
import { encryptedColumns, encryptedSettings } from '../../../src/core/secrets/rotation.ts'
import { auditCases } from '../../support/auditCases/auditCases.ts'
import { streamCases } from '../../support/auditCases/streams.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { selectAudit } from '../../support/scenes/auditEntries.ts'
import { setUpFounderApp, signInFounder } from '../../support/founder/founder.ts'
import { wrapped } from '../../support/server/memberKeys.ts'
import { sealedPlaces } from '../../support/database/encryptedValues.ts'
import { enableTotp } from '../../support/scenes/secondFactor.ts'

afterEach(() => vi.restoreAllMocks())

/** Fields with private values of a person or a browser, anywhere in a request or a response. */
const secretFields =
  /password|proof|secret|token|ticket|^code$|recoveryCode|wrapped|sealed|seed|pins|content|fileName|fileKey|grant|signature|^(first|last)Name$|^email$|^username$|message$|subject|challenge|clientDataJSON|uri|downloadURL/i

function collect(value: unknown, into: Set<string>, path: readonly string[] = []): void {
  if (typeof value === 'string') {
    if (value.length >= 6 && path.some((name) => secretFields.test(name))) into.add(value)
  } else if (Array.isArray(value)) for (const each of value) collect(each, into, path)
  else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) collect(each, into, [...path, name])
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const metricsToken = 'a-token-that-only-the-scraper-has-0123'

/** Collects every secret sent to or by the server, cookies included. */
function watchWire(): Set<string> {
  const secrets = new Set<string>()
  const real = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (typeof init?.body === 'string') collect(parse(init.body), secrets)
    const answer = await real(input, init)
    for (const cookie of answer.headers.getSetCookie()) {
      const value = cookie.split(';')[0]?.split('=')[1] ?? ''
      for (const part of [value, ...value.split('.')]) if (part.length >= 6) secrets.add(part)
    }
    const isRefusal = answer.status >= 400
    if (!isRefusal && answer.headers.get('content-type')?.includes('application/json') === true)
      collect(parse(await answer.clone().text()), secrets)
    return answer
  })
  return secrets
}

/** Removes the account from a logged alert: without a channel, the log is the alert, and must name the account. */
function withoutAccount(line: string): string {
  const told = parse(line) as { alert?: string; about?: { Account?: string } } | undefined
  if (told?.alert === undefined || told.about === undefined) return line
  return JSON.stringify({ ...told, about: { ...told.about, Account: undefined } })
}

/** A code of six digits counts only by itself: the time of a log line may contain any digits. */
const holds = (text: string, secret: string): boolean =>
  /^\d+$/.test(secret) ? new RegExp(`(?<!\\d)${secret}(?!\\d)`).test(text) : text.includes(secret)

async function runEverything(server: TestServer): Promise<void> {
  for (const { prepare } of Object.values({ ...auditCases, ...streamCases })) {
    const { fail, succeed } = await prepare(server)
    await fail?.()
    await succeed()
  }
}

/** Leaves a new password pending until the second factor is confirmed. */
async function recoverWithFactor(server: TestServer): Promise<void> {
  const member = await server.signUp()
  await enableTotp(server, member)
  const proof = { username: member.user.username, recoveryProof: member.keys?.recoveryProof as string }
  const body = { ...proof, password: 'a new password', wrappedAccountKey: wrapped() }
  await server.visitor().refused(recovery.finish, { body })
}

test('no entry, log line or metric holds a secret, a content or a name of any call', { timeout: 120_000 }, async () => {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const log: FastifyBaseLogger = Fastify({
    logger: { ...loggerOptions({ logLevel: 'trace' }), stream: { write } },
  }).log
  const secrets = watchWire()
  const server = await createTestServer({ env: { ACCESS_LOG: '1', METRICS_TOKEN: metricsToken }, options: { log } })
  await runEverything(server)
  await recoverWithFactor(server)
  await server.core.db.write((tx) => tx.run('delete from founder_authenticator_app'))
  await setUpFounderApp(server, await signInFounder(server))
  log.info('the log is heard')
  const headers = { authorization: `Bearer ${metricsToken}` }
  const metrics = await (await server.visitor().fetch('/metrics', { headers })).text()
  // Without the values: a measured value may contain any digits.
  lines.push(...metrics.split('\n').map((line) => line.replace(/ [\d.e+-]+$/, '')))
  expect(lines.join('')).toContain('privity_')
  await server.restart()

  expect(secrets.size).toBeGreaterThan(300)
  const entries = await selectAudit(server.core.db.read)
  expect(entries.length).toBeGreaterThan(100)
  // Hashes and commitments are random and cannot contain a secret, so we leave them out.
  const texts = entries.map(({ seq, action, details }) => `${seq} ${action} ${details}`)
  expect(lines.join('')).toContain('the log is heard')
  // The founder's name is part of action names, and everybody can read it on the founder's page.
  secrets.delete(server.core.config.founder.username)
  const actions = new Set(entries.map(({ action }) => action))
  const written = [...texts, ...lines.map(withoutAccount)]
  const found = [...secrets].flatMap((secret) =>
    written.filter((text) => holds(text, secret) && !actions.has(secret)).map((text) => ({ secret, text })),
  )
  expect(found).toEqual([])

  // The same run shows that the rotation of the server's secret covers every encrypted column and setting.
  const { db, secrets: atRest } = server.core
  await db.write((tx) => tx.run('update epochs set wrapped_former_key = ?', [atRest.encryptAtRest('x')]))
  const known = [
    ...Object.entries(encryptedColumns).flatMap(([table, { columns }]) =>
      columns.map((column) => `${table}.${column}`),
    ),
    ...encryptedSettings.map((key) => `settings.${key}`),
  ]
  const places = await sealedPlaces(db.read, atRest)
  expect(known).toEqual(expect.arrayContaining(places))
  expect(places).toHaveLength(known.length - 1)
  await server.close()
})
