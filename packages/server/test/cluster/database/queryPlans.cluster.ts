import { directory } from '@privity/contract/directory'
import { messages } from '@privity/contract/messages'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sessionTimeouts, prepareSession } from '../../../src/core/database/postgres/connect.ts'
import { steadyEnough } from '../../../src/core/steadyTime.ts'
import { maxRowsPerStatement } from '../../../src/core/database/statements.ts'
import { auditCases } from '../../support/auditCases/auditCases.ts'
import { streamCases } from '../../support/auditCases/streams.ts'
import { createFakeClock, startOfTests } from '../../support/server/fakeClock.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { signInFounder } from '../../support/founder/founder.ts'
import { switchDirectoryOn } from '../../support/scenes/directory.ts'
import { setRole } from '../../support/scenes/organization.ts'
import { createTalk, type Talk } from '../../support/scenes/conversation.ts'
import { multiply } from './rowCopies.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'

let postgres: PostgresServer
let server: TestServer
let client: Client
beforeEach(async () => {
  postgres = await startPostgres({ durable: false })
  const clock = createFakeClock(startOfTests - steadyEnough)
  server = await createTestServer({ env: { DATABASE_URL: postgres.url }, clock })
  // From now on, dates ahead of the clock are corrected.
  await server.advance(steadyEnough)
  client = new Client({ connectionString: postgres.url })
  await client.connect()
  // A vacuum in the middle would let PostgreSQL count rows by an index, which reads no less.
  await client.query('alter system set autovacuum = off')
  await client.query('select pg_reload_conf()')
  // Plan queries under the server's session settings.
  await prepareSession(client, sessionTimeouts.long)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await client.end()
  await server.close()
  await postgres.stop()
})

interface Statement {
  text: string
  values?: unknown[]
}

/** The statements that this process sends to the database during `work`, each form once. */
async function askedBy(work: () => Promise<unknown>): Promise<Statement[]> {
  const spy = vi.spyOn(Client.prototype, 'query')
  const asked = new Map<string, Statement>()
  await work()
  for (const [query] of spy.mock.calls as unknown as [string | Statement][]) {
    const { text, values = [] } = typeof query === 'string' ? { text: query } : query
    if (/^\s*(?:select|with|insert|update|delete)\b/i.test(text)) asked.set(text, { text, values })
  }
  spy.mockRestore()
  return [...asked.values()]
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  Plans?: Plan[]
}

const scanned = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(scanned),
]

/** Tables that PostgreSQL scans sequentially for this statement. */
async function readWhole({ text, values }: Statement): Promise<string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (format json) ${text}`, values)
  return rows.flatMap((row) => row['QUERY PLAN'].flatMap((each) => scanned(each.Plan)))
}

/** Sends messages concurrently: those that arrive while the first is being stored share a batch. */
async function sendTogether({ anna, ben, text, send }: Talk, count: number): Promise<void> {
  // One sender would exceed the rate limit.
  const senders = [anna, ben] as const
  for (const sender of senders) await send(sender)
  const took = vi.spyOn(server.core.rates, 'take')
  await client.query('begin; lock table messages in exclusive mode')
  const sent = Array.from({ length: 1 + count }, (_, at) => {
    const sender = senders[at % 2] as Member
    return sender.call(messages.send, { body: text(sender) })
  })
  await vi.waitUntil(() => took.mock.calls.length > count, { timeout: 10_000 })
  await client.query('rollback')
  await Promise.all(sent)
}

/** Excluded: it proves the audit log's chain, which copied rows break. */
const ofTheChain = 'GET /api/founder/audit-logs/export'
const cases = Object.entries({ ...auditCases, ...streamCases }).filter(([name]) => name !== ofTheChain)

/**
 * Intended sequential scans: of tables with one row per minute, organization, flag or acknowledged incident, which the
 * founder sees summed up; and of rows that live only minutes.
 */
const meant = [
  'POST /api/founder/scan-messages reads all of message_flags',
  'GET /api/founder/users reads all of user_counts',
  'GET /api/founder/organizations reads all of organizations',
  'GET /api/founder/realtime-stats reads all of message_minutes',
  'GET /api/founder/realtime-stats reads all of connection_minutes',
  'GET /api/founder/message-rate reads all of message_minutes',
  'GET /api/founder/stats reads all of people_counts',
  'GET /api/founder/security-dashboard reads all of incident_acknowledgements',
  'GET /api/founder/security-incidents reads all of incident_acknowledgements',
  'what is done every minute reads all of organizations',
  'what is done every minute reads all of authenticator_setups',
]

test('what anybody does reads no table whole, however many others there are', async () => {
  for (const [, { prepare }] of cases) await (await prepare(server)).succeed()
  const many = await multiply(client, 3000)
  expect([...many]).toEqual(expect.arrayContaining(['connections', 'epochs', 'files', 'messages', 'sessions', 'users']))

  const found = new Map<string, string>()
  async function look(name: string, work: () => Promise<unknown>): Promise<Statement[]> {
    const all = await askedBy(work)
    for (const asked of all)
      for (const table of await readWhole(asked))
        if (many.has(table)) found.set(`${name} reads all of ${table}`, asked.text)
    return all
  }

  // Control: a former query for all contacts, which scans the table.
  const careless =
    'select id from users where id = $1 or id in (select user_id_2 from connections where user_id_1 = $1)'
  await look('this', () => server.core.db.read.all(careless.replaceAll('$1', '?'), ['a', 'a']))
  expect([...found.keys()]).toEqual(['this reads all of users'])
  found.clear()

  for (const [name, { prepare }] of cases) {
    const { succeed } = await prepare(server)
    await look(name, succeed)
  }
  const talk = await createTalk(server)
  const { anna, connection } = talk
  const together = await look('who sends with many others', () => sendTogether(talk, maxRowsPerStatement))
  expect(Math.max(...together.map(({ values = [] }) => values.length))).toBeGreaterThan(10 * maxRowsPerStatement)
  await setRole(server, anna, 'super_admin')
  await look('who comes', () => anna.socket())
  const founder = await signInFounder(server)
  for (const { method, path, guard } of server.core.endpoints.filter((each) => each.method === 'GET')) {
    const caller = guard === 'founder' ? founder : anna
    await look(`${method} ${path}`, () => caller.request(method, path.replace(':id', connection.id)))
  }
  await switchDirectoryOn(server)
  await look('who searches', () => anna.call(directory.search, { query: { name: 'first' } }))
  await look('what is done every minute', () => server.advance(60_000))
  expect(Object.fromEntries([...found].filter(([name]) => !meant.includes(name)))).toEqual({})
  expect([...found.keys()]).toEqual(expect.arrayContaining(meant))
})
