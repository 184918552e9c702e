import type { ServerFrame } from '@privity/contract/events'
import type { OwnKeys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import type { Message } from '@privity/contract/messages'
import { isVisible } from '@privity/contract/visible'
import type { Opened } from './account/account.ts'
import { createArrivals } from './messages/receive.ts'
import type { Call } from './transport/call.ts'
import { CallError, createAlarm } from './transport/callError.ts'
import type { Device } from './device/device.ts'
import { createDrafts, type Drafts } from './messages/drafts.ts'
import type { Emitter } from './transport/emitter.ts'
import { createEnvelopes, type Envelopes } from './messages/envelopes.ts'
import { createExpiry } from './messages/expiry.ts'
import type { FileCrypto } from './files/fileCrypto.ts'
import { createFiles, type Files } from './files/files.ts'
import type { Put } from './files/put.ts'
import { createTransfers } from './files/transfers.ts'
import { openKeyring } from './keys/keyring.ts'
import type { Live } from './transport/socket.ts'
import { createKeyChangeReport } from './notifications.ts'
import { createOutbox, type Outbox } from './messages/outbox.ts'
import { createOutboxKeeping } from './messages/outboxStore.ts'
import { createPeers } from './trust/contacts.ts'
import { createParties, type Parties } from './trust/participants.ts'
import { openPins } from './trust/pins.ts'
import { createPosting } from './messages/encrypt.ts'
import { createReading, type Reading } from './messages/decrypt.ts'
import { createRepetition } from './messages/duplicateText.ts'
import { openSeenEpochs } from './keys/contactEpochs.ts'
import { createSending } from './messages/pendingSends.ts'
import type { ServerClock } from './transport/serverClock.ts'
import type { WritableStore } from './transport/store.ts'
import type { TabNotice, Tabs } from './device/tabs.ts'
import { createTrust, type TrustCalls } from './trust/trust.ts'
import type { ClientEvents, OpenedRequest, OutboxItem, Transfer } from './types.ts'

export interface SessionDeps {
  origin: string
  call: Call
  clock: ServerClock
  device: Device
  tabs: Tabs
  emitter: Emitter<ClientEvents>
  live: Live
  outbox: WritableStore<readonly OutboxItem[]>
  transfers: WritableStore<readonly Transfer[]>
  fileCrypto: FileCrypto
  put: Put
  /** How long a message lives on this server, in milliseconds. */
  retention: () => number
  /** Whether it is the user himself who has other keys now, or this session is over. */
  replaced: (keys: OwnKeys) => Promise<boolean>
}

type NoticeFrame = Exclude<ServerFrame, { type: 'authenticated' | 'pong' | 'resync' }>

/** All that exists only while someone's keys are open. */
export interface Session {
  userId: string
  reading: Reading
  envelopes: Envelopes
  outbox: Outbox
  drafts: Drafts
  files: Files
  trust: TrustCalls
  parties: Parties
  send(connectionId: string, text: string, draft?: string): Promise<OutboxItem>
  hear(frame: ServerFrame): Promise<void>
  /** Another tab of this user has changed what this device keeps. */
  hearTab(notice: TabNotice): void
  reconnected(): void
  /** The page is looked at again, or the clock was corrected: the device may have slept. */
  woke(): void
  /** Resolves when nothing more is written to the outbox and the drafts of this device. */
  stop(): Promise<void>
}

const keyCheck = 60 * 1000

export async function openSession(deps: SessionDeps, opened: Opened): Promise<Session> {
  const { call, clock, device, emitter, live, tabs, retention } = deps
  const userId = opened.user.id
  const own = { userId, accountKey: opened.accountKey }
  // The session before has stopped: it writes nothing under a former key any more.
  if (opened.keys.epochs.some(({ wrappedFormerKey }) => wrappedFormerKey !== undefined))
    await (await import('./account/newKeys/lazyKeys.ts')).sealAnew(device, opened.accountKey, opened.keys)
  const alarm = createAlarm((said) => emitter.emit('alarm', said))
  const keyring = await openKeyring(
    { call, clock, device, retention, alarm, replaced: deps.replaced },
    { ...own, ...opened.own },
    opened.keys,
  )
  const pins = await openPins({ call, device, keyring, alarm }, opened.keys.pins)
  const parties = createParties({ userId, pins, alarm })
  const seenEpochs = await openSeenEpochs(device, own)
  const peers = createPeers({
    call,
    clock,
    keyring,
    pins,
    seenEpochs,
    onChange: trustChanged,
    onKeyChange: createKeyChangeReport(call),
  })
  const envelopes = createEnvelopes({ clock, keyring, peers, retention })
  const expiry = createExpiry(clock, (gone) => {
    arrivals.forget(gone.ids)
    repetition.expired(gone.ids)
    emitter.emit('expired', gone)
  })
  const received = (connectionId: string, seq: number) => live.send({ type: 'received', connectionId, seq })
  const repetition = createRepetition({ ...own, device, clock })
  const reading = createReading({ call, userId, envelopes, peers, expiry, received, ownOpened: repetition.opened })
  const arrivals = createArrivals({ userId, clock, reading, emitter, received })
  const sending = createSending()
  const outbox = createOutbox({
    userId,
    clock,
    retention,
    keeping: createOutboxKeeping(device, {
      ...own,
      changed: (removed) => tabs.tell({ type: 'outbox', userId, removed }),
    }),
    posting: createPosting({ call, keyring, peers, envelopes, live, tagOf: repetition.tagOf, clock }),
    isConnected: () => live.socketId() !== undefined,
    tabs,
    items: deps.outbox,
    async stored(message: Message) {
      await arrivals.take(message)
      sending.succeeded(message.id)
    },
    failed: sending.failed,
  })

  /** Whether there are messages that could not be read before. */
  function trustChanged(): boolean {
    const hadFailed = envelopes.retryFailed()
    emitter.emit('trust_changed', undefined)
    return hadFailed
  }

  const transfers = createTransfers(deps.transfers, clock)
  const drafts = createDrafts(device, { ...own, tabs })
  const trust = createTrust(peers)
  const files = createFiles({
    ...deps,
    userId,
    keyring,
    peers,
    crypto: deps.fileCrypto,
    outbox,
    reading,
    transfers,
    sent: sending.of,
    alarm,
  })

  async function keepFresh(): Promise<void> {
    clock.check()
    await keyring.keepFresh().catch(() => {})
    envelopes.forgetDestroyed()
    if (!stopped) stopChecking = clock.after(keyCheck, () => void keepFresh())
  }
  let stopped = false
  let stopChecking = () => {}
  await keepFresh()
  await outbox.reload()
  outbox.flush()

  async function refreshPins(): Promise<void> {
    // Messages under a key that was accepted in another browser can be read now.
    if ((await pins.refresh()) && trustChanged()) emitter.emit('resync', undefined)
  }

  async function hear(frame: NoticeFrame): Promise<void> {
    switch (frame.type) {
      case 'new_message':
        await arrivals.take(frame.message)
        if (frame.message.senderId !== userId) return
        sending.succeeded(frame.message.id)
        return outbox.arrived(frame.message.id)
      case 'epoch_published':
        if (frame.epoch.userId === userId) return clock.confirm(frame.epoch.createdAt).then(keyring.refresh)
        return peers.forgetUser(frame.epoch.userId)
      case 'keys_replaced':
        peers.forgetUser(frame.userId)
        return void trustChanged()
      case 'authorization_requested':
        return tellRequest(await files.opened(frame.request))
      case 'authorization_changed':
        return emitter.emit('authorization_changed', { filePath: frame.filePath, status: frame.status })
      case 'progress':
        return emitter.emit('progress', frame.progress)
      case 'connection_created':
        if (parties.isRight(frame.connection)) emitter.emit('connection_created', frame.connection)
        return
      case 'connection_removed':
        return dropConnection(frame.connectionId)
      case 'party_changed':
        return partyChanged(frame)
      case 'blocks_changed':
        return emitter.emit('blocks_changed', undefined)
      case 'user_changed':
        return emitter.emit('user_changed', undefined)
      case 'preferences_changed':
        return emitter.emit('preferences_changed', { preferences: frame.preferences, policy: frame.policy })
      case 'organization_changed':
        return emitter.emit('organization_changed', undefined)
      case 'second_factor_changed':
        return emitter.emit('second_factor_changed', undefined)
      case 'sessions_changed':
        return emitter.emit('sessions_changed', undefined)
      case 'notification':
        return emitter.emit('notification', frame.notification)
      case 'notifications_changed':
        return emitter.emit('notifications_changed', undefined)
      case 'pins_changed':
        return refreshPins()
    }
  }

  function tellRequest(request: OpenedRequest | undefined): void {
    if (request) emitter.emit('authorization_requested', request)
  }

  function partyChanged({ connectionId, party }: ClientEvents['party_changed']): void {
    if (parties.isRightParty(connectionId, party.id)) emitter.emit('party_changed', { connectionId, party })
  }

  async function dropConnection(connectionId: string): Promise<void> {
    await outbox.dropConnection(connectionId)
    await drafts.drop(connectionId)
    peers.forget(connectionId)
    emitter.emit('connection_removed', { connectionId })
  }

  return {
    userId,
    reading,
    envelopes,
    outbox,
    drafts,
    files,
    parties,
    trust: {
      ...trust,
      async accept(connectionId, shown) {
        await trust.accept(connectionId, shown)
        // What could not be read under the old key can be now.
        emitter.emit('resync', undefined)
      },
    },
    send(connectionId, text, draft) {
      // Half a surrogate pair could not be sealed.
      const trimmed = text.toWellFormed().trim()
      const tooLong = Array.from(trimmed).length > limits.messageCharacters
      if (!isVisible(trimmed) || tooLong) {
        return Promise.reject(new CallError(tooLong ? 'TOO_LONG' : 'EMPTY'))
      }
      const others = draft === undefined ? undefined : () => drafts.changeOf(connectionId, draft)
      return outbox.add(connectionId, { kind: 'text', text: trimmed }, { others })
    },
    // A notice that cannot be followed now is made good by the next resync.
    async hear(frame) {
      if (frame.type === 'authenticated' || frame.type === 'pong' || frame.type === 'resync') return
      await hear(frame).catch(() => {})
    },
    hearTab(notice) {
      if (notice.type === 'outbox') outbox.followTab(notice.removed).catch(() => {})
    },
    woke: expiry.look,
    reconnected() {
      expiry.look()
      peers.forgetAll()
      keyring.refresh().catch(() => {})
      refreshPins().catch(() => {})
      reading.catchUp().catch(() => {})
      outbox.flush()
      transfers.resume()
    },
    async stop() {
      stopped = true
      stopChecking()
      const settled = Promise.all([outbox.stop(), drafts.stop(), repetition.stop()])
      transfers.stop()
      expiry.stop()
      await settled
    },
  }
}
