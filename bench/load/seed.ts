import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { readSealedMessage } from '@privity/contract/sealedMessage'
import { createApp } from '../../packages/server/src/app.ts'
import { loadConfig } from '../../packages/server/src/core/config/config.ts'
import type { Value, Tx } from '../../packages/server/src/core/database/types.ts'
import { hashToken } from '../../packages/server/src/core/sessions/tokens.ts'
import {
  connectionId,
  envelopeId,
  identityKey,
  pairOf,
  partnerOf,
  historyMessages,
  historyNumber,
  historyPair,
  historyPairs,
  sendingPairs,
  sessionToken,
  userId,
} from './people.ts'
import { sealedContents } from './sealed.ts'

/**
 * Fills a new database of our server (of DATA_DIR, or DATABASE_URL) through the server's database interface: users with
 * keys and a session each, connected in pairs with their envelopes, the message history to read, and `messages` more
 * over all pairs.
 */
const { values: options } = parseArgs({
  options: { users: { type: 'string', default: '1000' }, messages: { type: 'string', default: '0' } },
})
const [users, messages] = [Number(options.users), Number(options.messages)]
if (users < 2 * (sendingPairs + historyPairs)) throw new Error('too few users')

const { DATA_DIR, DATABASE_URL, SERVER_SECRET } = process.env
const config = loadConfig({ DATA_DIR, DATABASE_URL, SERVER_SECRET, LOG_LEVEL: 'warn', DEMO: '0' })
const { core, close } = await createApp(config)
const day = 24 * 60 * 60 * 1000
const now = Date.now()
const bytes = (size: number) => randomBytes(size).toString('base64url')

/** Inserts rows of one table, many per statement and several statements per transaction. */
async function insert(table: string, columns: string[], count: number, rowOf: (at: number) => Value[]): Promise<void> {
  const [inStatement, inTransaction] = [100, 1000]
  const list = columns.join(', ')
  const insertRows = async (tx: Tx, from: number, to: number) => {
    const rows = Array.from({ length: to - from }, (_, i) => rowOf(from + i))
    const placeholders = rows.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ')
    await tx.run(`insert into ${table} (${list}) values ${placeholders}`, rows.flat())
  }
  for (let start = 0; start < count; start += inTransaction)
    await core.db.write(async (tx) => {
      const end = Math.min(count, start + inTransaction)
      for (let from = start; from < end; from += inStatement)
        await insertRows(tx, from, Math.min(end, from + inStatement))
    })
}

const organization = (await core.db.read.get<{ id: string }>('select id from organizations'))?.id ?? ''
const names = ['id', 'username', 'email', 'first_name', 'last_name', 'name_key', 'role', 'organization_id']
const userKeys = ['identity_key', 'recovery_kem_key', 'recovery_kem_signature']
await insert('users', [...names, 'connection_code', 'password_hash', 'created_at', ...userKeys], users, (at) => {
  const name = `bench.${at}`
  const person = [userId(at), name, `${name}@example.com`, 'Bench', String(at), name]
  return [...person, 'user', organization, `bench${at}`, 'none', now, identityKey(at), bytes(1216), bytes(64)]
})
// One epoch that lasts as long as the bench may run.
const epoch = [1, bytes(1216), now, now, now + 7 * day, now + 7 * day, bytes(32), 0, bytes(64), bytes(64)]
const epochTimes = ['created_at', 'starts_at', 'ends_at', 'used_until']
const keys = ['user_id', 'n', 'public_key', ...epochTimes, 'previous_hash', 'features', 'signature', 'wrapped_seed']
await insert('epochs', keys, users, (at) => [userId(at), ...epoch])
const session = ['id', 'user_id', 'token_hash', 'key_share', 'created_at', 'last_used_at', 'address', 'device']
await insert('sessions', session, users, (at) => {
  const id = userId(at)
  return [id, id, hashToken(sessionToken(at)), '', now, now, '', '']
})

const pairs = users >> 1
const ofPair = Math.floor(messages / pairs)
const isPast = (pair: number) => pair >= sendingPairs && pair < sendingPairs + historyPairs
const lengthOf = (pair: number) => ofPair + (isPast(pair) ? historyMessages : 0)
const parties = ['id', 'user_id_1', 'user_id_2', 'connected_at', 'last_seq', 'sent_seq_1', 'sent_seq_2']
await insert('connections', parties, pairs, (pair) => {
  const length = lengthOf(pair)
  return [connectionId(pair), userId(2 * pair), userId(2 * pair + 1), now, length, length, length]
})
const sealed = [bytes(1168), bytes(1168), bytes(64)]
const envelope = ['id', 'connection_id', 'from_id', 'to_id', 'epoch_from', 'epoch_to', 'created_at', 'expires_at']
await insert('envelopes', [...envelope, 'sealed_for_recipient', 'sealed_for_sender', 'signature'], users, (at) => {
  const place = [envelopeId(at), connectionId(pairOf(at)), userId(at), userId(partnerOf(at))]
  return [...place, 1, 1, now, now + day, ...sealed]
})

const message = ['id', 'connection_id', 'seq', 'sender_id', 'envelope_id', 'message_type', 'created_at', 'expires_at']
function messageOf(pair: number, number: number, seq: number): Value[] {
  const sender = 2 * pair + (seq % 2)
  const content = sealedContents(envelopeId(sender))(number)
  const id = readSealedMessage(Buffer.from(content, 'base64url'))?.messageId ?? ''
  return [id, connectionId(pair), seq, userId(sender), envelopeId(sender), 'text', now, now + day, content]
}
// Interleaved, as when all members write at the same time: one message of each conversation, then the next of each.
await insert('messages', [...message, 'content'], ofPair * pairs, (at) => {
  const [pair, k] = [at % pairs, Math.floor(at / pairs)]
  return messageOf(pair, historyNumber(pair, historyMessages + k), k + 1)
})
await insert('messages', [...message, 'content'], historyPairs * historyMessages, (at) => {
  const [pair, k] = [historyPair(at), Math.floor(at / historyPairs)]
  return messageOf(pair, historyNumber(pair, k), ofPair + k + 1)
})
await close()
