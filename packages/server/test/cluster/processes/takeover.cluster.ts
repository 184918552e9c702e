import { alerts } from '@privity/contract/founder/alerts'
import { founderSessions } from '@privity/contract/founder/session'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { support } from '@privity/contract/support'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Db } from '../../../src/core/database/types.ts'
import { deriveFounderSecret } from '../../../src/features/founder/session/verifier.ts'
import { type Caller, createCaller } from '../../support/server/caller.ts'
import { createMailServer, type MailServer } from '../../support/services/mailServer.ts'
import { at, type Cluster, founderPassword, type Node, startCluster } from '../support/cluster.ts'

const token = 'a-token-for-the-scraper-0123456789abcdef'
/** A killed process is detected after 10 to 14 seconds, and the job that sends pending emails runs every 10. */
const soon = { timeout: 60_000, interval: 100 }

/** Each process has a mail server of its own, which shows which process sends. */
let mails: [MailServer, MailServer, MailServer]
let cluster: Cluster
let db: Db
beforeAll(async () => {
  mails = [await createMailServer(), await createMailServer(), await createMailServer()]
  cluster = await startCluster((n) => ({
    SMTP_URL: mails[n].url,
    MAIL_FROM: 'privity@example.org',
    SUPPORT_EMAIL: 'support@example.com',
    METRICS_TOKEN: token,
  }))
  db = cluster.db
})
afterAll(async () => {
  await cluster.close()
  for (const mail of mails) await mail.close()
})
afterEach(async () => {
  for (const node of cluster.nodes) if (!node.isUp()) await node.start()
  for (const mail of mails) mail.delivered.length = 0
})

const nodeAt = (n: number) => cluster.nodes[n] as Node
const processes = () => db.read.all<{ id: string }>('select id from processes')

/**
 * Holds all mail servers; resolves with the index of the process that waits for one, and a function that releases the
 * others.
 */
async function whoSends(send: () => Promise<unknown>) {
  const release = mails.map((mail) => mail.hold())
  await send()
  await vi.waitFor(() => expect(mails.map((mail) => mail.held()).toSorted()).toEqual([0, 0, 1]), soon)
  const sending = mails.findIndex((mail) => mail.held() === 1)
  return {
    sending,
    others: [0, 1, 2].filter((n) => n !== sending),
    releaseOthers: () => release.forEach((let_, n) => n !== sending && let_()),
  }
}

async function signInFounder(node: Node): Promise<Caller> {
  const founder = createCaller(() => node.url, '198.51.100.200')
  const { username, salt } = await founder.call(founderSessions.access, {})
  await founder.call(founderSessions.login, {
    body: { username, password: await deriveFounderSecret(founderPassword, salt) },
  })
  return founder
}

/** Indexes of the processes that have ever run a job of the leaseholder. */
async function whoWorks(): Promise<number[]> {
  const headers = { authorization: `Bearer ${token}` }
  const up = [0, 1, 2].filter((n) => nodeAt(n).isUp())
  const answers = up.map((n) => createCaller(() => nodeAt(n).url, '198.51.100.202').fetch('/metrics', { headers }))
  const texts = await Promise.all(answers.map(async (answer) => (await answer).text()))
  return up.filter((_, at) => /job="alerts",ended="done"\} [1-9]/.test(texts[at] ?? ''))
}

test('when the process that has the jobs is killed, one other takes them over and keeps them', async () => {
  const holder = async () => (await db.read.get<{ holder: string }>('select holder from leases'))?.holder
  const before = await holder()
  await vi.waitFor(async () => expect(await whoWorks()).toHaveLength(1), soon)
  const [killed = -1] = await whoWorks()
  await nodeAt(killed).stop('SIGKILL')
  await vi.waitFor(async () => expect(await whoWorks()).toHaveLength(1), soon)
  const [taker] = await whoWorks()
  const after = await holder()
  expect(after).not.toBe(before)
  await nodeAt(killed).start()
  expect([await whoWorks(), await holder()]).toEqual([[taker], after])
  expect((await processes()).map(({ id }) => id)).toContain(after)
})

test('an alert that a killed process was sending is sent by another, once', async () => {
  const founder = await signInFounder(nodeAt(0))
  await founder.call(alerts.putSettings, {
    body: {
      emailEnabled: true,
      emailAddress: 'security@example.com',
      smsEnabled: false,
      smsPhoneNumber: null,
      alertTypes: ['account_locked'],
    },
  })
  const { sending, others, releaseOthers } = await whoSends(async () => {
    // No account has this name: the lock of a member would send an email to the owner as well.
    const body = { username: 'nobody-at-all', password: 'a guess' }
    for (let n = 0; n < limits.failedSignIns; n++)
      await createCaller(() => nodeAt(n % 3).url, '198.51.100.201').refused(session.login, { body })
  })
  const [claimed] = await db.read.all<{ process: string }>(
    "select process from alert_deliveries where state = 'waiting'",
  )
  expect((await processes()).map(({ id }) => id)).toContain(claimed?.process)
  await nodeAt(sending).stop('SIGKILL')
  releaseOthers()
  const listed = () => at(founder, nodeAt(others[0] ?? 0).url).call(alerts.list, { query: {} })
  await vi.waitFor(
    async () => expect(await listed()).toMatchObject([{ deliveries: [{ channel: 'email', state: 'sent' }] }]),
    soon,
  )
  expect((await processes()).map(({ id }) => id)).not.toContain(claimed?.process)
  await nodeAt(sending).start()
  expect(others.flatMap((n) => mails[n as 0 | 1 | 2].delivered)).toHaveLength(1)
  expect(await listed()).toHaveLength(1)
})

test('a support email that a killed process was sending is sent by the next one, as the same', async () => {
  const member = await cluster.signUp()
  const ask = (n: number, subject: string) =>
    at(member, nodeAt(n).url).call(support.create, {
      body: { category: 'files', subject, message: 'It was there yesterday.' },
    })
  let id = ''
  const { sending, others, releaseOthers } = await whoSends(async () => ({ id } = await ask(1, 'The first')))
  expect(sending).toBe(1)
  const [next = 0] = others
  await nodeAt(1).stop('SIGKILL')
  releaseOthers()
  const letters = () => others.flatMap((n) => mails[n as 0 | 1 | 2].delivered.map(({ source }) => source))
  // As long as the killed process counts as alive, no other process takes over its email.
  await ask(next, 'The second')
  await vi.waitFor(() => expect(letters()).toHaveLength(1), soon)
  expect(letters()[0]).toContain('The second')
  await vi.waitFor(async () => expect(await processes()).toHaveLength(2), soon)
  await ask(next, 'The third')
  await vi.waitFor(() => expect(letters()).toHaveLength(3), soon)
  const first = letters().find((source) => source.includes('The first'))
  expect(first).toContain(`support-${id}@`)
  await vi.waitFor(
    async () => expect(await db.read.all('select 1 from support_requests where mailed_at is null')).toEqual([]),
    soon,
  )
  expect(letters()).toHaveLength(3)
})
