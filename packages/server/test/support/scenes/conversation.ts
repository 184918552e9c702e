import { hash, randomBytes } from 'node:crypto'
import type { Connection } from '@privity/contract/connections'
import { distanceFromId, envelopeUse } from '@privity/contract/envelopeUse'
import { filePathOf } from '@privity/contract/fileRef'
import { files, type FileStatus } from '@privity/contract/files'
import type { Grant } from '@privity/contract/grant'
import { keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { type Envelope, type Message, messages } from '@privity/contract/messages'
import { readSealedMessage, type SealedMessageForm } from '@privity/contract/sealedMessage'
import { messageLinkBytes, signedDeletionBytes, signedGrantBytes } from '@privity/contract/signedBytes'
import type { Sent } from '@privity/contract/endpoint'
import { session } from '@privity/contract/session'
import type { Member, TestServer } from '../server/testServer.ts'
import {
  identityKeyOf,
  makeContent,
  makeEnvelope,
  makeEpoch,
  publication,
  random,
  signAs,
  wrapped,
} from '../server/memberKeys.ts'
import { everyTable } from '../database/schema.ts'

export type SendBody = Sent<typeof messages.send>['body']

/** Two connected members, their envelopes, and functions to send. */
export interface Talk {
  anna: Member
  ben: Member
  connection: Connection
  /** The body of a new text message; includes the envelope until `send` has stored it. */
  text(from: Member, more?: Partial<SendBody>, padded?: 1024 | 2304): SendBody
  send(from: Member, more?: Partial<SendBody>, padded?: 1024 | 2304): Promise<Message>
  /** Publishes an epoch of now for a member whose epochs have ended. */
  renewEpoch(of: Member): Promise<void>
  /** Uploads, registers and sends a file of random bytes. */
  sendFile(from: Member, bytes?: Uint8Array<ArrayBuffer>): Promise<SentFile>
}

export interface SentFile extends Message {
  filePath: string
  bytes: Uint8Array<ArrayBuffer>
}

/** A server with or without a fake clock; without one, the machine's time counts. */
type TalkServer = Pick<TestServer, 'signUp' | 'connect'> & { clock?: { now(): number } }

let pairs = 0

export async function createTalk(server: TalkServer): Promise<Talk> {
  pairs += 1
  const [anna, ben] = [await server.signUp(`anna${pairs}`), await server.signUp(`ben${pairs}`)]
  const connection = await server.connect(anna, ben)
  const envelopes = new Map<Member, Envelope>()
  const stored = new Set<Member>()
  /** Each one's newest epoch; 1 where it is absent. */
  const epochs = new Map<Member, number>()

  /** The member's envelope, replaced when it is too old to send under. */
  function envelopeOf(from: Member, ends: { connectionId: string; from: string; to: string }): Envelope {
    const now = (server.clock ?? Date).now()
    const before = envelopes.get(from)
    if (before && distanceFromId(before.id, now) < envelopeUse(limits.retention)) return before
    const [epochFrom, epochTo] = [epochs.get(from) ?? 1, epochs.get(from === anna ? ben : anna) ?? 1]
    const made = makeEnvelope(ends, { epochFrom, epochTo }, now)
    envelopes.set(from, made)
    stored.delete(from)
    return made
  }

  function text(from: Member, more: Partial<SendBody> = {}, padded: 1024 | 2304 = 1024): SendBody {
    const to = from === anna ? ben : anna
    const ends = { connectionId: connection.id, from: from.user.id, to: to.user.id }
    const envelope = envelopeOf(from, ends)
    const { content } = makeContent(envelope.id, { padded })
    return { connectionId: connection.id, content, ...(stored.has(from) ? {} : { envelope }), ...more }
  }

  async function send(from: Member, more?: Partial<SendBody>, padded?: 1024 | 2304): Promise<Message> {
    const body = text(from, more, padded)
    const sent = await from.call(messages.send, { body })
    stored.add(from)
    return { ...sent, content: body.content }
  }

  return {
    anna,
    ben,
    connection,
    text,
    send,
    async renewEpoch(of) {
      const n = (epochs.get(of) ?? 1) + 1
      epochs.set(of, n)
      const epoch = makeEpoch(of.user.id, n, (server.clock ?? Date).now())
      await of.call(keys.publishEpochs, publication(epoch))
      envelopes.clear()
    },
    async sendFile(from, bytes = randomFile(1000)) {
      const { filePath } = await registerFile(from, bytes)
      return { ...(await send(from, fileFields(filePath, bytes.length))), filePath, bytes }
    },
  }
}

export const randomFile = (size: number): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(size))

export const fileFields = (filePath: string, fileSize: number) => ({
  messageType: 'file' as const,
  fileName: wrapped(),
  fileKey: wrapped(),
  filePath,
  fileSize,
})

export async function upload(
  member: Member,
  body: RequestInit['body'],
): Promise<{ uploadURL: string; response: Response }> {
  const { uploadURL } = await member.call(files.createUpload, {})
  const headers = { 'content-type': 'application/octet-stream' }
  return { uploadURL, response: await member.fetch(uploadURL, { method: 'PUT', body, headers }) }
}

export async function registerFile(member: Member, bytes: Uint8Array<ArrayBuffer>) {
  const { uploadURL, response } = await upload(member, bytes)
  if (response.status !== 200) throw new Error(`the upload answered ${response.status}`)
  return member.call(files.register, { body: { fileURL: uploadURL } })
}

const decode = (text: string) => Buffer.from(text, 'base64url')

/** A grant that nobody has signed. */
export const makeGrant = (epochTo = 1): Grant => ({ epochTo, sealedKey: random(1168), signature: random(64) })

/** A grant for a file, signed with the owner's identity key of now. */
function signGrant(filePath: string, from: string, to: string, epochTo: number): Grant {
  const grant = makeGrant(epochTo)
  const identities = { identityFrom: identityKeyOf(from), identityTo: identityKeyOf(to) }
  const bytes = signedGrantBytes({ ...grant, filePath, from, to, ...identities }, decode)
  return { ...grant, signature: signAs(from, bytes) }
}

/** A signed grant for what is asked for by this request. */
export async function grantFor({ core }: TestServer, authorizationId: string, epochTo = 1): Promise<Grant> {
  const row = await core.db.read.get<{ file_id: string; owner_id: string; requester_id: string }>(
    'select file_id, owner_id, requester_id from file_authorizations where id = ?',
    [authorizationId],
  )
  return signGrant(filePathOf(row?.file_id ?? ''), row?.owner_id ?? '', row?.requester_id ?? '', epochTo)
}

export const checkFile = (member: Member, filePath: string): Promise<FileStatus> =>
  member.call(files.check, { params: { '*': filePath.slice(1) } })

/** Requests as `requester` and approves as `owner`. */
export async function approve(owner: Member, requester: Member, filePath: string, downloadLimit = 3) {
  const { authorizationId = '' } = await requester.call(files.request, { body: { filePath } })
  const body = { authorize: true, downloadLimit, grant: signGrant(filePath, owner.user.id, requester.user.id, 1) }
  await owner.call(files.decide, { params: { id: authorizationId }, body })
  return authorizationId
}

export async function download(member: Member, filePath: string) {
  const response = await member.fetch(filePath)
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
}

/** The call by which a member deletes a message, signed with their identity key of now. */
export function deletionOf(
  by: Member,
  { id, connectionId, content }: Pick<Message, 'id' | 'connectionId' | 'content'>,
) {
  const { envelopeId, signature } = readSealedMessage(decode(content)) as SealedMessageForm
  const link = hash('sha256', messageLinkBytes(signature), 'buffer').subarray(0, 20)
  const number = Buffer.of(0, 0, 0, 1)
  const deleted = { userId: by.user.id, connectionId, messageId: id, envelopeId, link, number }
  const bytes = signedDeletionBytes(by.keys?.identityKey as string, deleted, decode)
  const deletion = Buffer.concat([number, decode(signAs(by.user.id, bytes))]).toString('base64url')
  return { params: { id }, body: { deletion } }
}

/** Number of rows per table, to verify that a refused call changed nothing. */
export async function countRows({ core }: TestServer): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const name of await everyTable(core.db.read)) {
    // On PostgreSQL, the server may raise alerts of its own meanwhile, which do not matter here.
    if (core.config.postgres !== undefined && name.startsWith('alert')) continue
    counts[name] = (await core.db.read.get<{ n: number }>(`select count(*) as n from ${name}`))?.n ?? 0
  }
  return counts
}

/** Sends messages, every tenth with a file, until stopped; resolves after the first `first` of them. */
export async function writeOn(talk: Talk, first: number) {
  let writing = true
  let sent = 0
  const ended = (async () => {
    while (writing) {
      await talk.send(talk.anna)
      sent += 1
      if (sent % 10 === 0) await talk.sendFile(talk.anna, randomFile(2_000))
    }
  })()
  while (sent < first) await talk.ben.call(session.getUser, {})
  return {
    sent: () => sent,
    stop() {
      writing = false
      return ended
    },
  }
}
