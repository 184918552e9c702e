import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connections } from '@privity/contract/connections'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loadAuditKey } from '../../../src/core/audit/signingKey.ts'
import { openDb } from '../../../src/core/database/database.ts'
import type { Db } from '../../../src/core/database/types.ts'
import { createSecrets } from '../../../src/core/secrets/secrets.ts'
import { checkLog } from '../../../src/operator/auditCheck.ts'
import { type Caller, createCaller, nextAddress } from '../../support/server/caller.ts'
import { type ServerProcess, startProcess } from '../../support/server/serverProcess.ts'
import type { Member } from '../../support/server/testServer.ts'
import { secret, signUpMember } from '../support/cluster.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { createStatementProxy, type StatementProxy, type Stop } from '../support/statementProxy.ts'
import { createWholeAccount, listObjects, selectRowsWith, type WholeAccount } from '../support/wholeAccount.ts'

/** Between two statements of one transaction nothing else happens, so `after` matters for commits only. */
const stops = [
  { side: 'before', steps: ['change', 'commit'] },
  { side: 'after', steps: ['commit'] },
] as const satisfies Omit<Stop, 'n'>[]

const metricsToken = 'a-token-for-the-scraper-0123456789abcdef'
/** Jobs that complete an interrupted deletion; each runs once at the start. */
const completingJobs = ['finish deletions of accounts', 'destroy expired files', 'remove orphaned objects']
/** Columns that keep an id of a deleted account: deletionTraces.test.ts lists the reasons. */
const remains = [
  'audit_log.actor_id',
  'audit_log.details',
  'audit_log.target_id',
  'invitations.created_by',
  'retired_users.id',
]

/** An interrupted deletion, and the state after the restart that follows. */
interface Round {
  /** The kind of interruption, and the statement. */
  moment: string
  /** Status of the response; undefined if there was none. */
  status: number | undefined
  isWhole: boolean
  /** If it is whole: rows about it that differ from those before the deletion. If it is gone: columns that name it. */
  differing: string[]
  /** Stored objects without a row, and rows without their object. */
  unmatched: string[]
  /** Statuses of calls in both sessions, and of a new sign-in. */
  access: number[]
  /** Whether the two contacts still list the connection. */
  listed: boolean[]
  /** Entries for the deletion of the account, and for each ended connection. */
  entries: number[]
  /** If it is whole: status of another deletion, and the columns that the account is still in afterwards. */
  again: { status: number; left: string[] } | undefined
}

const isOfJobs = (text: string) => /\b(?:processes|leases|health_pages)\b|expires_at <= /.test(text)

let postgres: PostgresServer
let proxy: StatementProxy
let dataDir: string
let db: Db
let server: ServerProcess
let cara: Member
const rounds: Round[] = []
const url = () => server.facts.url

async function start(): Promise<void> {
  const databaseUrl = new URL(postgres.url)
  databaseUrl.port = String(proxy.port)
  server = await startProcess({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl.href,
    DATABASE_READERS: '2',
    SERVER_SECRET: secret,
    METRICS_TOKEN: metricsToken,
    TRUST_PROXY: '1',
    DEMO: '0',
  })
}

async function areJobsDone(): Promise<boolean> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const text = await (await createCaller(url, nextAddress()).fetch('/metrics', { headers })).text()
  return completingJobs.every((job) => new RegExp(`job="${job}",ended="done"\\} [1-9]`).test(text))
}

async function kill(): Promise<void> {
  await server.stop('SIGKILL')
  proxy.release()
}

/** Kills the server and starts it again; resolves once it has completed what was interrupted. */
async function restart(): Promise<void> {
  await kill()
  // The killed process counts as gone at once, and not only after ten seconds of silence.
  await db.write((tx) => tx.run('delete from processes'))
  await start()
  await vi.waitFor(async () => expect(await areJobsDone()).toBe(true), { timeout: 60_000, interval: 20 })
}

const confirmation = ({ user, password }: Member) => ({ username: user.username, password })

const requestDeletion = (member: Member): Promise<number | undefined> =>
  member.request('POST', '/api/account/deletion', confirmation(member)).then(
    ({ status }) => status,
    () => undefined,
  )

/** The rows about the account, as texts. Neither failed password checks nor the use of sessions is a change to it. */
async function describeRows({ ids }: WholeAccount): Promise<string[]> {
  const found = (await selectRowsWith(db.read, ids)).filter(({ table }) => table !== 'sign_in_locks')
  return found.map(({ table, row }) => JSON.stringify({ table, ...row, last_used_at: undefined }))
}

async function columnsLeft({ ids }: WholeAccount): Promise<string[]> {
  const columns = (await selectRowsWith(db.read, ids)).flatMap(({ table, row }) =>
    Object.keys(row)
      .filter((column) => ids.some((id) => String(row[column]).includes(id)))
      .map((column) => `${table}.${column}`),
  )
  return [...new Set(columns)].filter((column) => !remains.includes(column))
}

async function listUnmatched(): Promise<string[]> {
  const rows = await db.read.all<{ id: string }>('select id from files union select id from uploads')
  const [named, stored] = [rows.map(({ id }) => id), await listObjects(dataDir)]
  return [...named.filter((id) => !stored.includes(id)), ...stored.filter((id) => !named.includes(id))]
}

async function countEntries({ anna }: WholeAccount, action: string, targetId: string): Promise<number> {
  const row = await db.read.get<{ n: number }>(
    'select count(*) as n from audit_log where action = ? and actor_id = ? and target_id = ?',
    [action, anna.user.id, targetId],
  )
  return row?.n ?? 0
}

async function examine(whole: WholeAccount, before: readonly string[]): Promise<Omit<Round, 'moment' | 'status'>> {
  const { anna, elsewhere, ben, connectionIds } = whole
  const isWhole = (await db.read.get('select 1 from users where id = ?', [anna.user.id])) !== undefined
  const now = await describeRows(whole)
  const changed = [...before, ...now].filter((row) => !before.includes(row) || !now.includes(row))
  const statusOf = async (caller: Caller, ...call: [string, string, unknown?]) => (await caller.request(...call)).status
  const lists = await Promise.all([ben, cara].map((contact) => contact.call(connections.list, {})))
  const facts = {
    isWhole,
    differing: isWhole ? changed : await columnsLeft(whole),
    unmatched: await listUnmatched(),
    listed: lists.map((list, index) => list.some(({ id }) => id === connectionIds[index])),
    entries: [
      await countEntries(whole, 'account_deleted', anna.user.id),
      await countEntries(whole, 'connection_removed', ben.user.id),
      await countEntries(whole, 'connection_removed', cara.user.id),
    ],
    access: [
      await statusOf(anna, 'GET', '/api/user'),
      await statusOf(elsewhere, 'GET', '/api/user'),
      await statusOf(createCaller(url, nextAddress()), 'POST', '/api/login', confirmation(anna)),
    ],
  }
  if (!isWhole) return { ...facts, again: undefined }
  const status = (await requestDeletion(anna)) ?? 0
  return { ...facts, again: { status, left: await columnsLeft(whole) } }
}

interface Interruption {
  moment: string
  status: number | undefined
  whole: WholeAccount
  before: readonly string[]
}

/** Deletes a new account and calls `interrupt` at the nth step; returns undefined if there are fewer steps. */
async function interruptAt(stop: Stop, name: string, interrupt: () => unknown): Promise<Interruption | undefined> {
  const whole = await createWholeAccount(db, url, cara)
  const before = await describeRows(whole)
  const stopped = proxy.stopAt(stop)
  const responded = requestDeletion(whole.anna)
  const text = await Promise.race([stopped, responded.then(() => undefined)])
  await (text === undefined ? proxy.release() : interrupt())
  if (text === undefined) return undefined
  const moment = `${name} ${stop.side} ${stop.n}: ${text.replaceAll(/\s+/g, ' ').slice(0, 120)}`
  return { moment, status: await responded, whole, before }
}

/** Ends the connections of one deletion and the server of another, each at this step, if they have so many. */
async function interruptBothAt(stop: Stop): Promise<Interruption[]> {
  const disconnected = await interruptAt(stop, 'disconnected', () => proxy.release())
  const killed = await interruptAt(stop, 'killed', kill)
  return [disconnected, killed].filter((each) => each !== undefined)
}

const toRound = async ({ moment, status, whole, before }: Interruption): Promise<Round> => ({
  moment,
  status,
  ...(await examine(whole, before)),
})

beforeAll(async () => {
  postgres = await startPostgres({ durable: false })
  proxy = await createStatementProxy(postgres.port, isOfJobs)
  dataDir = await mkdtemp(join(tmpdir(), 'privity-deletion-'))
  await start()
  db = await openDb('', { postgres: { url: postgres.url, readers: 1 }, onError: (error) => console.error(error) })
  cara = await signUpMember('cara', url)
  // Without a Super Admin, each start would revoke the open invitations for a new first one.
  await db.write((tx) => tx.run("update users set role = 'super_admin' where id = ?", [cara.user.id]))
  for (const stop of stops)
    for (let n = 1; ; n++) {
      const interruptions = await interruptBothAt({ ...stop, n })
      if (interruptions.length === 0) break
      await restart()
      for (const interruption of interruptions) rounds.push(await toRound(interruption))
    }
}, 1_200_000)

afterAll(async () => {
  await server.stop('SIGKILL')
  await db.close()
  await proxy.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const momentsOf = (wanted: (round: Round) => boolean) => rounds.filter(wanted).map(({ moment }) => moment)

test('deletions are interrupted from the password check to the last file', () => {
  const moments = momentsOf(() => true).join('\n')
  for (const text of [
    'before 1: insert into sign_in_locks',
    'insert into connection_endings',
    'delete from users',
    'delete from connection_endings',
    'delete from files',
    'after 5: commit',
  ])
    expect(moments).toContain(text)
})

test('an interrupted deletion leaves each row as it was, or none that names the account', () => {
  expect(rounds.filter(({ differing }) => differing.length > 0)).toEqual([])
})

test('an interrupted deletion leaves no object without its row, and no row without its object', () => {
  expect(rounds.filter(({ unmatched }) => unmatched.length > 0)).toEqual([])
})

test('both contacts list the connection exactly as long as the account exists', () => {
  expect(rounds.filter(({ isWhole, listed }) => listed.some((each) => each !== isWhole))).toEqual([])
})

test('the audit log has every entry of the deletion once, or none of them', () => {
  const isWrong = ({ isWhole, entries }: Round) => entries.some((count) => count !== (isWhole ? 0 : 1))
  expect(rounds.filter(isWrong)).toEqual([])
})

test('both sessions and the password work exactly as long as the account exists', () => {
  const isWrong = ({ isWhole, access }: Round) => access.some((status) => status !== (isWhole ? 200 : 401))
  expect(rounds.filter(isWrong)).toEqual([])
})

test('an account that still exists can be deleted', () => {
  // The retention job removes the ids of the connections.
  const isWrong = ({ again }: Round) =>
    again !== undefined && (again.status !== 200 || again.left.some((column) => column !== 'removed_connections.id'))
  expect(rounds.filter(isWrong)).toEqual([])
})

test('an account whose deletion was killed before its commit exists', () => {
  const killed = rounds.filter(({ moment }) => /^killed before.*(?:from users|into retired_users)/.test(moment))
  expect(new Set(killed.map(({ isWhole }) => isWhole))).toEqual(new Set([true]))
})

test('an account whose deletion was killed after its commit is gone', () => {
  const killed = rounds.filter(({ moment }) => /^killed before.*from connection_endings where user_id/.test(moment))
  expect(new Set(killed.map(({ isWhole }) => isWhole))).toEqual(new Set([false]))
})

test('a deletion that was confirmed has happened', () => {
  expect(momentsOf(({ status, isWhole }) => status === 200 && isWhole)).toEqual([])
})

test('the number of members is right after all interruptions', async () => {
  const counted = await db.read.get('select sum(users) as users from user_counts')
  expect(counted).toEqual(await db.read.get('select count(*) as users from users'))
})

test('the audit log verifies after all interruptions', async () => {
  const verdict = await checkLog(db, await loadAuditKey(db, createSecrets(secret)), Date.now())
  expect(verdict).toMatchObject({ problem: undefined, entries: expect.any(Number) })
})
