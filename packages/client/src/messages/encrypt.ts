import { config } from '@privity/contract/config'
import { type Envelope, type Message, messages as contract } from '@privity/contract/messages'
import { fromBase64url, sealForOwner, sealMessage } from '@privity/e2ee'
import type { Call } from '../transport/call.ts'
import { CallError, type CallErrorCode, isCallError } from '../transport/callError.ts'
import type { Envelopes } from './envelopes.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Live } from '../transport/socket.ts'
import type { KeptItem } from './outboxStore.ts'
import type { Peers } from '../trust/contacts.ts'
import type { Repetition } from './duplicateText.ts'
import type { ServerClock } from '../transport/serverClock.ts'

export const fileIdOf = (filePath: string) => filePath.slice('/objects/'.length)

/** Gets one message to the server, however often its keys move on meanwhile. */
export interface Posting {
  /** Calls `keep` each time before a sealed form leaves. Throws a CallError. */
  post(item: KeptItem, keep: (item: KeptItem) => Promise<void>): Promise<Message>
  /** The stored message of this id, where an earlier answer was lost. */
  findStored(item: KeptItem): Promise<Message | undefined>
}

const attempts = 5

/** The browser knows at once, the socket some seconds later. */
const isOffline = () => typeof window !== 'undefined' && !navigator.onLine

/** Sealing loads its code when it is first needed, which fails with a TypeError while the server cannot be reached. */
function asOffline(error: unknown): never {
  if (error instanceof TypeError && /module/i.test(error.message)) throw new CallError('OFFLINE', { cause: error })
  throw error
}

/** The sealed form does not fit the keys that the server has: the message is sealed again. */
const keysMovedOn: CallErrorCode[] = ['EPOCH_SUPERSEDED', 'ENVELOPE_INVALID', 'MESSAGE_NOT_SIGNED']

export function createPosting(deps: {
  call: Call
  keyring: Keyring
  peers: Peers
  envelopes: Envelopes
  live: Pick<Live, 'socketId'>
  tagOf: Repetition['tagOf']
  clock: Pick<ServerClock, 'now' | 'correct'>
}): Posting {
  const { call, keyring, peers, envelopes, live } = deps

  async function sealFile(item: KeptItem, { epochFrom, connectionId, to }: Envelope) {
    const { file, body } = item
    if (!file || body.kind !== 'file') return {}
    const seed = await keyring.seed(epochFrom)
    if (!seed) throw new Error('The newest epoch has no seed.')
    const fileId = fileIdOf(file.filePath)
    const owner = { seed, userId: keyring.userId, epoch: epochFrom, connectionId, recipientId: to, fileId }
    return {
      fileName: await sealForOwner({ ...owner, purpose: 'file-name' }, new TextEncoder().encode(body.name)),
      fileKey: await sealForOwner({ ...owner, purpose: 'file-key' }, fromBase64url(file.fileKey)),
    }
  }

  async function seal(item: KeptItem): Promise<KeptItem & { sealed: NonNullable<KeptItem['sealed']> }> {
    await keyring.keepFresh()
    const { envelope, conversationKey } = await envelopes.forSending(item.connectionId)
    const { identity } = keyring
    const content = await sealMessage({ conversationKey, identity, messageId: item.id, envelope, body: item.body })
    const { id, body } = item
    const repetition =
      body.kind === 'text' ? await deps.tagOf({ id, text: body.text, at: deps.clock.now() }) : undefined
    return {
      ...item,
      sealed: { content, envelope, ...(await sealFile(item, envelope)), ...(repetition && { repetition }) },
    }
  }

  async function checkPeer(connectionId: string): Promise<void> {
    const { changed, pin } = await peers.get(connectionId)
    if (changed) throw new CallError('KEY_CHANGED')
    if (pin?.paused) throw new CallError('PAUSED')
  }

  async function findStored({ id, connectionId }: KeptItem): Promise<Message | undefined> {
    const found = await call(contract.list, { params: { id: connectionId }, query: { limit: 200 } })
    return found.find(
      (message) => message.id === id && message.connectionId === connectionId && message.senderId === keyring.userId,
    )
  }

  async function send(item: KeptItem & { sealed: NonNullable<KeptItem['sealed']> }): Promise<Message> {
    const { connectionId, sealed, file, body } = item
    const { content, envelope, fileName, fileKey, repetition } = sealed
    const sending = await envelopes.forSending(connectionId)
    const known = sending.envelope.id === envelope.id && sending.known
    const sent = await call(contract.send, {
      body: {
        connectionId,
        content,
        messageType: body.kind,
        ...(file && { fileName, fileKey, filePath: file.filePath, fileSize: file.fileSize }),
        ...(known ? {} : { envelope }),
        repetition,
        socketId: live.socketId(),
      },
    })
    if (sending.envelope.id === envelope.id) sending.known = true
    envelopes.remember(envelope)
    return { ...sent, content }
  }

  /** Makes ready for another attempt, or says why there can be none. */
  async function recover(item: KeptItem, error: CallError): Promise<KeptItem | Message> {
    const { connectionId } = item
    if (error.code === 'ENVELOPE_UNKNOWN') {
      const sending = await envelopes.forSending(connectionId)
      sending.known = false
      return item
    }
    if (keysMovedOn.includes(error.code)) {
      await keyring.refresh()
      peers.forget(connectionId)
      envelopes.forget(connectionId)
      return { ...item, sealed: undefined }
    }
    if (error.code === 'ENVELOPE_OUTDATED') {
      // Perhaps it was made under another time than the server's.
      await deps.clock.correct()
      envelopes.forget(connectionId)
      return { ...item, sealed: undefined }
    }
    const stored = error.code === 'MESSAGE_ID_TAKEN' ? await findStored(item) : undefined
    if (stored) return stored
    throw error
  }

  return {
    findStored,
    async post(item, keep) {
      let current = item
      for (let attempt = 1; ; attempt++) {
        await checkPeer(item.connectionId)
        const { sealed } = current
        // Probe first: a message that has left may have arrived, so none leaves while the server cannot be reached.
        if (!sealed && (live.socketId() === undefined || isOffline())) await call(config.get, {})
        const ready = sealed ? { ...current, sealed } : await seal(current).catch(asOffline)
        await keep(ready)
        try {
          return await send(ready)
        } catch (error) {
          if (!isCallError(error) || attempt === attempts) throw error
          const next = await recover(ready, error)
          if ('seq' in next) return next
          current = next
        }
      }
    },
  }
}
