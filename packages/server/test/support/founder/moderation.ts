import { hash, randomUUID } from 'node:crypto'
import { limits } from '@privity/contract/limits'
import { messageReports } from '@privity/contract/messageReports'
import type { Message } from '@privity/contract/messages'
import { signedReportBytes } from '@privity/contract/signedBytes'
import { newId } from '../../../src/core/ids.ts'
import { createTestServer, type Member, type TestServer } from '../server/testServer.ts'
import { random, signAs } from '../server/memberKeys.ts'
import type { Talk } from '../scenes/conversation.ts'

const decode = (text: string) => Buffer.from(text, 'base64url')

/** Stores a public key for reports, as the founder's browser does. */
export async function makeReportKey({ core, clock }: TestServer): Promise<string> {
  const row = { id: newId(clock.now()), public_key: random(1216), wrapped_seed: random(80), created_at: clock.now() }
  await core.db.write((tx) => tx.kysely.insertInto('founder_report_keys').values(row).execute())
  return row.id
}

/** The current report key, or a new one. */
export async function reportKeyOf(server: TestServer, member: Member): Promise<string> {
  return (await member.call(messageReports.key, {})).key?.id ?? makeReportKey(server)
}

/** A signed report with random bytes as ciphertext: the server cannot tell the difference. */
export function reportBy({ user, keys }: Member, { id: messageId }: Pick<Message, 'id'>, keyId: string) {
  const [identityKey, sealed] = [keys?.identityKey as string, random(6256)]
  const report = { reporterId: user.id, messageId, keyId, hash: hash('sha256', decode(sealed), 'buffer') }
  return { messageId, keyId, sealed, signature: signAs(user.id, signedReportBytes(identityKey, report, decode)) }
}

/** Lets the recipient report a new message from the sender. */
export async function makeReport(server: TestServer, talk: Talk, from = talk.anna, by = talk.ben) {
  const keyId = await reportKeyOf(server, by)
  const message = await talk.send(from)
  const body = reportBy(by, message, keyId)
  await by.call(messageReports.create, { body })
  return { message, ...body }
}

/** Connects the sender with `count` different members. */
export async function connectMany(server: TestServer, sender: Member, count: number) {
  const talks = []
  for (let i = 0; i < count; i++) {
    const other = await server.signUp()
    talks.push({ other, connection: await server.connect(sender, other) })
  }
  return talks
}

export type Flood = [count: number, apart?: number, repetition?: string | null]
let stored = 1_000

/** Stores copies of a message from Anna; a scan does not read contents. */
export async function floodOf({ core, clock }: TestServer, talk: Talk, ...how: Flood): Promise<void> {
  const [count, apart = 1000, repetition = null] = how
  const sent = await talk.send(talk.anna, repetition === null ? {} : { repetition })
  const copy = `insert into messages (id, connection_id, seq, sender_id, envelope_id, message_type, created_at, expires_at,
       content, repetition)
     select ?, connection_id, ?, sender_id, envelope_id, message_type, ?, ?, content, repetition from messages where id = ?`
  await core.db.write(async (tx) => {
    for (let i = 1; i < count; i++) {
      const at = sent.createdAt + i * apart
      await tx.run(copy, [randomUUID(), (stored += 1), at, at + limits.retention, sent.id])
    }
  })
  clock.advance((count - 1) * apart)
}

/** A server whose rate limits let one address sign up and send as often as many do. */
export function createFloodedServer(): Promise<TestServer> {
  const many = { requests: 100_000, window: 1000 }
  return createTestServer({ options: { rateLimits: { send: many, other: many, signUp: many } } })
}
