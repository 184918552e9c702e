import type { ServerFrame } from '@privity/contract/events'
import type { OwnKeys } from '@privity/contract/keys'
import type { Quote } from '@privity/e2ee'
import type { OpenedAccount } from './account/types.ts'
import type { Call } from './transport/call.ts'
import { createSecurityAlert } from './transport/callError.ts'
import type { Device } from './device/device.ts'
import { createDrafts, type Drafts } from './messages/drafts.ts'
import type { Emitter } from './transport/emitter.ts'
import { type Conversations, openConversations } from './messages/conversations.ts'
import { createEnvelopes, type Envelopes } from './messages/envelopes.ts'
import type { FileCrypto } from './files/fileCrypto.ts'
import { createFiles, type Files } from './files/files.ts'
import { createFrameHandler } from './frames.ts'
import { createTransfers } from './files/transfers.ts'
import { type Keyring, openKeyring } from './keys/keyring.ts'
import { maintainKeys } from './keys/keyMaintenance.ts'
import { copyOwnKeys } from './keys/ownKeys.ts'
import type { LiveSocket } from './transport/socket.ts'
import { createKeyChangeReport } from './notifications.ts'
import { createOutbox, type Outbox } from './messages/outbox/outbox.ts'
import { createOutboxStore } from './messages/outbox/outboxStore.ts'
import { createContacts } from './trust/contacts.ts'
import type { TrustCalls } from './trust/types.ts'
import { createParticipants, type Participants } from './trust/participants.ts'
import { createTrust } from './trust/trust.ts'
import { openQuestions } from './trust/questions.ts'
import { openPins } from './trust/pins.ts'
import { createMessageSender } from './messages/encrypt.ts'
import { createLifetimes, type Lifetimes } from './messages/lifetimes.ts'
import { toSendable } from './messages/sendableText.ts'
import { openContactEpochs } from './keys/rollback.ts'
import { createPendingSends } from './messages/outbox/pendingSends.ts'
import type { ServerClock } from './transport/serverClock.ts'
import type { WritableStore } from './transport/store.ts'
import type { TabNotice, Tabs } from './device/tabs.ts'
import type { ClientEvents, OutboxItem, Transfer } from './types.ts'

export interface SessionDeps {
  origin: string
  call: Call
  clock: ServerClock
  device: Device
  tabs: Tabs
  emitter: Emitter<ClientEvents>
  live: LiveSocket
  outbox: WritableStore<readonly OutboxItem[]>
  transfers: WritableStore<readonly Transfer[]>
  fileCrypto: FileCrypto
  uploadFetch: typeof fetch | undefined
  /** How long a message lives on this server, in milliseconds. */
  retention: () => number
  /** Whether the user has replaced the keys in another tab. Throws if this session has ended. */
  isOwnReplacement: (keys: OwnKeys) => Promise<boolean>
}

/** Everything that exists only while an account's keys are open. */
export interface Session {
  userId: string
  decryptedMessages: Conversations['decryptedMessages']
  envelopes: Envelopes
  outbox: Outbox
  drafts: Drafts
  files: Files
  trust: TrustCalls
  participants: Participants
  lifetimes: Pick<Lifetimes, 'record'>
  keyring: Keyring
  send(connectionId: string, text: string, draft?: string, quote?: Quote): Promise<OutboxItem>
  deleteMessage: Conversations['delete']
  handleFrame(frame: ServerFrame): Promise<void>
  /** Another tab of this user has changed data on this device. */
  handleTabNotice(notice: TabNotice): void
  reconnected(): void
  /** Removes expired messages at once. */
  checkExpiry(): void
  /** The account as a page that is loaded in the place of this one opens it without the server. */
  handOver(): Pick<OpenedAccount, 'session' | 'keys'>
  restore: Conversations['restore']
  /** Resolves when nothing more of the outbox, drafts, counted texts and shown messages is written to this device. */
  stop(): Promise<void>
}

export async function openSession(deps: SessionDeps, opened: OpenedAccount): Promise<Session> {
  const { call, clock, device, emitter, live, tabs, retention } = deps
  const userId = opened.user.id
  const own = { userId, accountKey: opened.accountKey }
  // The previous session has stopped, so it writes nothing under a former key any more.
  if (opened.keys.epochs.some(({ wrappedFormerKey }) => wrappedFormerKey !== undefined))
    await (await import('./account/newKeys/lazyKeys.ts')).reencryptStorage(deps, opened.accountKey, opened.keys)
  const alarm = createSecurityAlert((message) => emitter.emit('alarm', message))
  const onApproved = () => emitter.emit('resync', undefined)
  const keysCopy = copyOwnKeys(call, opened.keys)
  const keyring = await openKeyring(
    { call: keysCopy.call, clock, device, tabs, alarm, isOwnReplacement: deps.isOwnReplacement, onApproved },
    { ...own, ...opened.own, sessionId: opened.session.id },
    opened.keys,
  )
  const pins = await openPins({ call, device, tabs, keyring, alarm }, opened.keys.pins)
  const questions = await openQuestions({ device, tabs, ...own, isNew: opened.isNew, onRenamed: trustChanged })
  const participants = createParticipants({ userId, pins, alarm, questions })
  const contactEpochs = await openContactEpochs(deps, own)
  const contacts = createContacts({
    call,
    clock,
    keyring,
    pins,
    contactEpochs,
    questions,
    onChange: trustChanged,
    onKeyChange: createKeyChangeReport(call),
  })
  const lifetimes = createLifetimes({ call, retention })
  const envelopes = createEnvelopes({ clock, keyring, contacts, retention, lifetimeOf: lifetimes.of })
  const conversations = await openConversations({ ...deps, ...own, keyring, envelopes, contacts })
  const { decryptedMessages, receiver, order } = conversations
  const { tagFor } = conversations.duplicateTexts
  const pendingSends = createPendingSends()
  const outbox = createOutbox({
    userId,
    clock,
    retention,
    store: createOutboxStore(device, {
      ...own,
      changed: (removed) => tabs.notify({ type: 'outbox', userId, removed }),
    }),
    sender: createMessageSender({ call, clock, keyring, contacts, envelopes, order, live, lifetimes, tagFor }),
    isConnected: () => live.socketId() !== undefined,
    tabs,
    items: deps.outbox,
    async onStored(message) {
      await receiver.receive(message)
      pendingSends.succeeded(message.id)
    },
    onFailed: pendingSends.failed,
  })

  /** Returns whether any message failed to decrypt before, so that it may succeed now. */
  function trustChanged(): boolean {
    const hadFailed = envelopes.clearFailed()
    emitter.emit('trust_changed', undefined)
    return hadFailed
  }

  const transfers = createTransfers(deps.transfers, clock)
  const drafts = createDrafts(device, { ...own, tabs })
  const trust = createTrust(contacts)
  const files = createFiles({
    ...deps,
    userId,
    keyring,
    contacts,
    crypto: deps.fileCrypto,
    outbox,
    decryptedMessages,
    transfers,
    sent: pendingSends.waitFor,
    alarm,
  })

  // Not waited for: opening takes no longer, and sending waits itself.
  const stopMaintenance = maintainKeys({ clock, keyring, keysCopy, onChecked: envelopes.removeDestroyed })
  await outbox.reload()
  outbox.flush()

  /** Removes the unsent messages and drafts that no key opens any more, and emits how many they were. */
  async function discardLostWork(): Promise<void> {
    const count = await (await import('./account/newKeys/lazyKeys.ts')).removeLostWork(deps, { ...own, ...opened.own })
    if (count > 0) emitter.emit('work_lost', { count })
  }
  // Not waited for, because nothing else needs it. If the server cannot be asked, the next start tries again.
  if (opened.own.former.length > 0) discardLostWork().catch(() => {})

  async function refreshPins(): Promise<void> {
    // Messages under a key that was accepted in another browser can be decrypted now.
    if ((await pins.refresh()) && trustChanged()) emitter.emit('resync', undefined)
  }

  const handleFrame = createFrameHandler({
    userId,
    clock,
    emitter,
    keyring,
    contacts,
    participants,
    lifetimes,
    receiver,
    order,
    pendingSends,
    outbox,
    drafts,
    authorizations: files,
    trustChanged,
    refreshPins,
  })

  return {
    userId,
    decryptedMessages,
    envelopes,
    outbox,
    drafts,
    files,
    participants,
    lifetimes,
    keyring,
    trust: {
      ...trust,
      async accept(connectionId, shown) {
        await trust.accept(connectionId, shown)
        // Messages that the old key could not verify can be decrypted now.
        emitter.emit('resync', undefined)
      },
    },
    async send(connectionId, text, draft, quote) {
      const draftChange = draft === undefined ? undefined : () => drafts.changeOf(connectionId, draft)
      return outbox.add(connectionId, { kind: 'text', text: toSendable(text), quote }, { otherChanges: draftChange })
    },
    deleteMessage: conversations.delete,
    restore: conversations.restore,
    handOver: () => ({ session: opened.session, keys: keysCopy.prune(keyring.holds) }),
    handleFrame,
    handleTabNotice(notice) {
      if (notice.type === 'outbox') outbox.followTab(notice.removed).catch(() => {})
    },
    checkExpiry: conversations.checkExpiry,
    reconnected() {
      conversations.checkExpiry()
      contacts.invalidateAll()
      keyring.refresh().catch(() => {})
      refreshPins().catch(() => {})
      decryptedMessages.catchUp().catch(() => {})
      outbox.flush()
      transfers.resume()
    },
    async stop() {
      stopMaintenance()
      transfers.stop()
      await Promise.all([outbox.stop(), drafts.stop(), conversations.stop(), keyring.stop()])
    },
  }
}
