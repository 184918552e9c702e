import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { emptyChain, type ProvenEntry } from '@privity/contract/auditProof'
import { connections } from '@privity/contract/connections'
import { limits, rateLimits } from '@privity/contract/limits'
import { messages } from '@privity/contract/messages'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { chainLeaf, leafOf } from '../../../src/core/audit/hashChain.ts'
import type { Db } from '../../../src/core/database/types.ts'
import { createCaller } from '../../support/server/caller.ts'
import { connectSocket } from '../../support/server/testSocket.ts'
import { failToStart } from '../../support/server/serverProcess.ts'
import { createTalk, randomFile } from '../../support/scenes/conversation.ts'
import { newAddress, put } from '../../support/scenes/uploads.ts'
import { at, type Cluster, secret, startCluster } from '../support/cluster.ts'

let cluster: Cluster
let db: Db
beforeAll(async () => {
  cluster = await startCluster()
  db = cluster.db
})
afterAll(() => cluster.close())

const urlOf = (n: 0 | 1 | 2) => cluster.nodes[n].url
const count = async (sql: string) => (await db.read.get<{ n: number }>(`select count(*) as n from ${sql}`))?.n
const soon = { timeout: 20_000, interval: 50 }

test('a first start that three processes race happens once, and each knows the others', async () => {
  expect(await count('organizations')).toBe(1)
  expect(await count("settings where key in ('audit_signing_key', 'founder_verifier')")).toBe(2)
  expect(await count('processes')).toBe(3)
  expect(await count('leases')).toBe(1)
  // Behind a proxy, the server is reachable from elsewhere: exactly one of the three created an invitation.
  expect(cluster.nodes.filter(({ process }) => process.facts.invitation !== undefined)).toHaveLength(1)
  expect(await count('invitations where revoked_at is null')).toBe(1)
})

test('contacts at different processes get messages and presence of each other at once', async () => {
  const talk = await createTalk(cluster)
  const { anna, ben, connection } = talk
  const ofAnna = await connectSocket(urlOf(0), anna, anna.user.id)
  const ofBen = await connectSocket(urlOf(1), ben, ben.user.id)
  expect(await ofAnna.next('party_changed')).toMatchObject({ party: { id: ben.user.id, online: true } })
  const sent = await at(anna, urlOf(2)).call(messages.send, { body: talk.text(anna) })
  expect((await ofBen.next('new_message')).message.id).toBe(sent.id)
  expect((await ofAnna.next('new_message')).message.id).toBe(sent.id)
  const [seen] = await at(anna, urlOf(2)).call(connections.list, {})
  expect([seen?.id, seen?.user1.online, seen?.user2.online]).toEqual([connection.id, true, true])
  ofBen.close()
  expect(await ofAnna.next('party_changed')).toMatchObject({ party: { id: ben.user.id, online: false } })
  ofAnna.close()
})

test('a session ended in one process no longer works in the others, and its sockets close there', async () => {
  const member = await cluster.signUp()
  const elsewhere = at(member, urlOf(1))
  await elsewhere.call(session.getUser, {})
  const socket = await connectSocket(urlOf(2), member, member.user.id)
  await at(member, urlOf(0)).call(session.logout, {})
  expect(await socket.closed).toBe(4003)
  await vi.waitFor(async () => expect((await elsewhere.refused(session.getUser, {})).status).toBe(401), soon)
})

test('of two simultaneous uploads at two processes that fit only singly, one is refused', async () => {
  for (let round = 0; round < 5; round++) {
    const member = await cluster.signUp()
    const rest = [crypto.randomUUID(), member.user.id, limits.accountFileBytes - 100, Date.now(), Date.now() + 600_000]
    const stored = `insert into files (id, owner_id, size, created_at, message_id, expires_at) values (?, ?, ?, ?, 'm${round}', ?)`
    await db.write((tx) => tx.run(stored, rest))
    const addresses = [await newAddress(member), await newAddress(member)]
    const puts = addresses.map((address, n) => put(at(member, urlOf(n as 0 | 1)), address, randomFile(80)))
    const statuses = (await Promise.all(puts)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 409])
  }
})

test('failed sign-ins that three processes are told at the same moment count exactly', async () => {
  const { user } = await cluster.signUp()
  const body = { username: user.username, password: 'a guess' }
  const attempts = Array.from({ length: 12 }, async (_, n) => {
    const visitor = createCaller(() => urlOf((n % 3) as 0 | 1 | 2), `198.51.100.${n}`)
    return (await visitor.refused(session.login, { body })).body.code
  })
  const codes = await Promise.all(attempts)
  const locked = codes.filter((code) => code === 'ACCOUNT_LOCKED')
  expect(codes.length - locked.length).toBeLessThanOrEqual(limits.failedSignIns)
  expect(await db.read.get('select failed from sign_in_locks where account = ?', [user.id])).toEqual({
    failed: limits.failedSignIns,
  })
})

test('a rate is that of all processes together', async () => {
  const member = await cluster.signUp()
  const { requests } = rateLimits.send
  const nodes = ([0, 1, 2] as const).map((n) => at(member, urlOf(n)))
  const body = { connectionId: 'not one', content: '' }
  const send = async (n: number) => (await nodes[n % 3]?.request('POST', '/api/messages', body))?.status
  const statuses: (number | undefined)[] = []
  for (let n = 0; n < requests; n++) statuses.push(await send(n))
  expect(new Set(statuses)).toEqual(new Set([400]))
  // Counts that are collected for 50 ms have reached all processes by then.
  await vi.waitFor(async () => expect(await Promise.all([send(0), send(1), send(2)])).toEqual([429, 429, 429]), {
    timeout: 3_000,
    interval: 100,
  })
})

test('the audit log that three processes write has no gap and no fork', async () => {
  await Promise.all(Array.from({ length: 18 }, (_, n) => cluster.signUpAt(cluster.nodes[(n % 3) as 0 | 1 | 2])))
  const rows = await db.read.all<Record<string, never>>('select * from audit_log order by seq')
  let chain = emptyChain
  for (const [at, row] of rows.entries()) {
    const entry: ProvenEntry = {
      seq: row['seq'] ?? 0,
      at: row['created_at'] ?? 0,
      action: row['action'] ?? '',
      actorId: row['actor_id'] ?? null,
      actorOrganization: row['actor_organization'] ?? null,
      targetId: row['target_id'] ?? null,
      targetOrganization: row['target_organization'] ?? null,
      addressCommitment: row['address_commitment'] ?? null,
      details: row['details'] ?? '',
      nonce: row['nonce'] ?? '',
    }
    expect(entry.seq).toBe(at + 1)
    chain = chainLeaf(chain, leafOf(entry))
    expect(row['hash']).toBe(chain)
  }
  expect(rows.filter((row) => row['action'] === 'account_created').length).toBeGreaterThanOrEqual(18)
})

test('a process that has another secret, or none, does not start', async () => {
  const env = { DATABASE_URL: cluster.postgres.url, VALKEY_URL: cluster.redis.url, DEMO: '0' }
  const folder = join(tmpdir(), `privity-refused-${process.pid}`)
  const other = await failToStart({ ...env, DATA_DIR: folder, SERVER_SECRET: `${secret}, or almost` })
  expect([other.code, other.error]).toEqual([1, expect.stringContaining("The server's secret is not the one")])
  const none = await failToStart({ ...env, DATA_DIR: folder })
  expect([none.code, none.error]).toEqual([1, expect.stringContaining('SERVER_SECRET is missing')])
  expect(none.error).not.toContain('not%20for%20the%20log')
})

test('a process that is stopped in order warns of nothing', async () => {
  const [, , node] = cluster.nodes
  const { output } = node.process
  const before = output().length
  expect(await node.stop('SIGTERM')).toBe(0)
  await node.start()
  expect(output().slice(before)).not.toMatch(/"level":[456]0/)
})

test('a process that is killed loses nothing that it acknowledged, and nothing is stored twice', async () => {
  const pairs = [await createTalk(cluster), await createTalk(cluster), await createTalk(cluster)]
  for (const talk of pairs) await talk.send(talk.anna)
  const acknowledged = new Map(pairs.map((talk) => [talk, new Set<string>()]))
  let stopped = false
  const sending = pairs.map(async (talk) => {
    while (!stopped) {
      const sent = await talk.send(talk.anna).catch(() => undefined)
      if (sent !== undefined) acknowledged.get(talk)?.add(sent.id)
      await wait(200)
    }
  })
  await wait(2_000)
  await cluster.nodes[0].stop('SIGKILL')
  await wait(4_000)
  stopped = true
  await Promise.all(sending)
  for (const talk of pairs) {
    const stored = await at(talk.ben, urlOf(1)).call(messages.list, {
      params: { id: talk.connection.id },
      query: { limit: 100 },
    })
    const ids = stored.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect([...(acknowledged.get(talk) ?? [])].filter((id) => !ids.includes(id))).toEqual([])
    expect(acknowledged.get(talk)?.size).toBeGreaterThan(5)
    const seqs = stored.map(({ seq }) => seq).sort((a, b) => a - b)
    expect(seqs).toEqual(seqs.map((_, n) => n + 1))
  }
  await cluster.nodes[0].start()
})
