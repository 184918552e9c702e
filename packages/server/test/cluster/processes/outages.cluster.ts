import { setTimeout as wait } from 'node:timers/promises'
import { connections } from '@privity/contract/connections'
import { files } from '@privity/contract/files'
import { messages } from '@privity/contract/messages'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { linkTimes } from '../../../src/core/cluster/cluster.ts'
import { registryTimes } from '../../../src/core/database/processHeartbeat.ts'
import type { Db } from '../../../src/core/database/types.ts'
import { connectSocket } from '../../support/server/testSocket.ts'
import { createTalk } from '../../support/scenes/conversation.ts'
import { at, type Cluster, startCluster } from '../support/cluster.ts'

let cluster: Cluster
let db: Db
beforeAll(async () => {
  cluster = await startCluster(() => ({ LOG_LEVEL: 'info' }))
  db = cluster.db
})
afterAll(() => cluster.close())

const urlOf = (n: 0 | 1 | 2) => cluster.nodes[n].url
/**
 * Documented delay, in milliseconds, until the end of a session takes effect everywhere; `soon` allows for a busy
 * machine.
 */
const stated = 5_000
const soon = { timeout: 20_000, interval: 50 }

/** Waits until every process receives the notices of every other, so that ended sessions take effect at once. */
async function whole(): Promise<void> {
  const member = await cluster.signUp()
  const { user } = member
  for (const n of [0, 1, 2] as const) {
    await vi.waitFor(
      async () => {
        const sockets = await Promise.all(([0, 1, 2] as const).map((n) => connectSocket(urlOf(n), member, user.id)))
        await at(member, urlOf(n)).call(session.generateCode, {})
        for (const socket of sockets) {
          await socket.settled()
          expect(socket.frames.map(({ type }) => type)).toContain('user_changed')
          socket.close()
        }
      },
      { timeout: 30_000, interval: 500 },
    )
  }
}

test('without Valkey messages flow, and ended sessions end in time; all recovers by itself', async () => {
  const talk = await createTalk(cluster)
  const { anna, ben, connection } = talk
  const elsewhere = at(ben, urlOf(1))
  const ofBen = await connectSocket(urlOf(1), ben, ben.user.id)
  const leaver = await cluster.signUp()
  const ofLeaver = await connectSocket(urlOf(2), leaver, leaver.user.id)
  await at(leaver, urlOf(1)).call(session.getUser, {})

  await cluster.redis.kill()
  const sent = await at(anna, urlOf(0)).call(messages.send, { body: talk.text(anna) })
  const listed = await elsewhere.call(messages.list, { params: { id: connection.id }, query: {} })
  expect(listed.map(({ id }) => id)).toEqual([sent.id])

  const endedAt = Date.now()
  await at(leaver, urlOf(0)).call(session.logout, {})
  await vi.waitFor(async () => expect((await at(leaver, urlOf(1)).refused(session.getUser, {})).status).toBe(401), soon)
  expect(await ofLeaver.closed).toBe(4003)
  expect(Date.now() - endedAt).toBeLessThan(stated + 3_000)
  expect(ofBen.raw.readyState).toBe(ofBen.raw.OPEN)

  await cluster.redis.start()
  await ofBen.next('resync')
  await whole()
  const body = talk.text(anna, { envelope: undefined })
  const later = await at(anna, urlOf(0)).call(messages.send, { body })
  expect((await ofBen.next('new_message')).message.id).toBe(later.id)
  ofBen.close()
  for (const { process } of cluster.nodes) expect(process.output()).not.toMatch(/not( |%20)for/)
})

test('a process cut off from Valkey is no longer trusted, and sessions it ends end everywhere', async () => {
  await whole()
  const member = await cluster.signUp()
  const elsewhere = at(member, urlOf(1))
  await elsewhere.call(session.getUser, {})
  const socket = await connectSocket(urlOf(2), member, member.user.id)
  cluster.nodes[0].toRedis.silence()
  const endedAt = Date.now()
  await at(member, urlOf(0)).call(session.logout, {})
  await vi.waitFor(async () => expect((await elsewhere.refused(session.getUser, {})).status).toBe(401), soon)
  expect(await socket.closed).toBe(4003)
  expect(Date.now() - endedAt).toBeLessThan(stated + 3_000)
  cluster.nodes[0].toRedis.heal()
  await whole()
})

test('without the database calls are refused with 503, and go on when it is back', async () => {
  const member = await cluster.signUp()
  const { toPostgres } = cluster.nodes[1]
  const there = at(member, urlOf(1))
  await there.call(connections.list, {})
  toPostgres.cut()
  const { status, body } = await there.refused(connections.list, {})
  expect([status, body.code]).toEqual([503, 'UNAVAILABLE'])
  // The other processes keep working.
  await at(member, urlOf(0)).call(connections.list, {})
  toPostgres.heal()
  await vi.waitFor(() => there.call(connections.list, {}), soon)
  await cluster.postgres.restart()
  for (const n of [0, 1, 2] as const)
    await vi.waitFor(() => at(member, urlOf(n)).call(session.generateCode, {}), { timeout: 30_000, interval: 200 })
})

test('users of a process that is killed are offline for all soon after', async () => {
  await whole()
  const talk = await createTalk(cluster)
  const { anna, ben } = talk
  const ofAnna = await connectSocket(urlOf(0), anna, anna.user.id)
  const ofBen = await connectSocket(urlOf(1), ben, ben.user.id)
  expect(await ofAnna.next('party_changed')).toMatchObject({ party: { online: true } })
  await cluster.nodes[1].stop('SIGKILL')
  expect(await ofBen.closed).toBe(1006)
  const gone = await ofAnna.next('party_changed')
  expect(gone).toMatchObject({ party: { id: ben.user.id, online: false } })
  ofAnna.close()
  await cluster.nodes[1].start()
})

test('a process that is told to stop answers open calls, closes its sockets and leaves at once', async () => {
  await whole()
  const talk = await createTalk(cluster)
  const socket = await connectSocket(urlOf(2), talk.ben, talk.ben.user.id)
  const there = at(talk.anna, urlOf(2))
  const { uploadURL } = await there.call(files.createUpload, {})
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const body = writable.getWriter()
  const uploading = there.fetch(uploadURL, {
    method: 'PUT',
    body: readable,
    duplex: 'half',
    headers: { 'content-type': 'application/octet-stream' },
  } as RequestInit)
  await body.write(new Uint8Array(1_000))
  const started = () => db.read.all('select id from uploads where started_at is not null')
  await vi.waitFor(async () => expect(await started()).toHaveLength(1), soon)
  const stopping = cluster.nodes[2].stop('SIGTERM')
  expect(await socket.closed).toBe(1012)
  await body.write(new Uint8Array(1_000))
  await body.close()
  const [code, answer] = await Promise.all([stopping, uploading])
  expect([code, answer.status]).toEqual([0, 200])
  expect(await db.read.get('select count(*) as n from processes')).toEqual({ n: 2 })
  await cluster.nodes[2].start()
})

test('the lease of a process that is paused passes on, and comes to nobody twice when it goes on', async () => {
  await whole()
  const holder = async () => (await db.read.get<{ holder: string }>('select holder from leases'))?.holder
  const before = await holder()
  const pids = cluster.nodes.map(({ process }) => process.child)
  // We find the holder by pausing one process after the other: the rows of the running ones keep changing.
  const { id: pausedId, child } = await findHolder(pids, before)
  expect(pausedId).toBe(before)
  await vi.waitFor(async () => expect(await holder()).not.toBe(before), {
    timeout: registryTimes.gone + 6 * registryTimes.beat,
    interval: 200,
  })
  const after = await holder()
  child.kill('SIGCONT')
  await vi.waitFor(async () => expect(await db.read.get('select count(*) as n from processes')).toEqual({ n: 3 }), soon)
  await wait(2 * registryTimes.beat)
  expect(await holder()).toBe(after)
  const member = await cluster.signUp()
  for (const n of [0, 1, 2] as const) await at(member, urlOf(n)).call(session.getUser, {})
  expect(linkTimes.suspect).toBeLessThan(stated)
})

/** Pauses one process after the other until the row of `id` no longer changes; that process stays paused. */
async function findHolder<C extends { kill(signal: NodeJS.Signals): boolean }>(children: readonly C[], id?: string) {
  const beatOf = async () =>
    (await db.read.get<{ beat: number }>('select beat from processes where id = ?', [id ?? '']))?.beat
  for (const child of children) {
    child.kill('SIGSTOP')
    await wait(500)
    const before = await beatOf()
    await wait(2 * registryTimes.beat)
    if ((await beatOf()) === before) return { id, child }
    child.kill('SIGCONT')
  }
  throw new Error('no process holds the lease')
}
