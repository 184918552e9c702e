import type { ServerFrame } from '@privity/contract/events'
import type { EpochKey } from '@privity/contract/keys'
import type { Authorizations } from './files/authorizations.ts'
import type { Keyring } from './keys/keyring.ts'
import type { Conversations } from './messages/conversations.ts'
import type { SessionDrafts } from './messages/drafts.ts'
import type { Lifetimes } from './messages/lifetimes.ts'
import type { Outbox } from './messages/outbox/outbox.ts'
import type { PendingSends } from './messages/outbox/pendingSends.ts'
import type { Emitter } from './transport/emitter.ts'
import type { ServerClock } from './transport/serverClock.ts'
import type { Participants } from './trust/participants.ts'
import type { Contacts } from './trust/types.ts'
import type { ClientEvents } from './types.ts'

export interface FrameDeps {
  userId: string
  clock: ServerClock
  emitter: Emitter<ClientEvents>
  keyring: Keyring
  contacts: Contacts
  participants: Participants
  lifetimes: Lifetimes
  receiver: Conversations['receiver']
  order: Conversations['order']
  pendingSends: PendingSends
  outbox: Outbox
  drafts: SessionDrafts
  authorizations: Pick<Authorizations, 'decryptRequest'>
  trustChanged: () => void
  refreshPins: () => Promise<void>
}

type Notice = Exclude<ServerFrame, { type: 'authenticated' | 'pong' | 'resync' }>
type NoticeOf<Type extends Notice['type']> = Extract<Notice, { type: Type }>

/** Returns a function that applies a frame of the live connection to the session, and emits what the page shows. */
export function createFrameHandler(deps: FrameDeps): (frame: ServerFrame) => Promise<void> {
  const { userId, clock, emitter, keyring, contacts, participants, lifetimes, receiver, pendingSends } = deps
  const { outbox, drafts, authorizations, trustChanged } = deps

  async function messageArrived({ message }: NoticeOf<'new_message'>): Promise<void> {
    await receiver.receive(message)
    if (message.senderId !== userId) return
    pendingSends.succeeded(message.id)
    await outbox.arrived(message.id)
  }

  async function epochPublished({ userId: publisher, n, createdAt }: EpochKey): Promise<void> {
    await clock.confirm(createdAt)
    if (publisher === userId) return keyring.knows(n) ? undefined : keyring.refresh()
    contacts.invalidateUser(publisher)
    emitter.emit('trust_changed', undefined)
    // If a clock was wrong, the own epochs may not be of this time either.
    void keyring.renewEpoch().catch(() => {})
    // Messages may have waited for this contact to be back.
    outbox.flush()
  }

  async function downloadRequested({ request }: NoticeOf<'authorization_requested'>): Promise<void> {
    const decrypted = await authorizations.decryptRequest(request)
    if (decrypted) emitter.emit('authorization_requested', decrypted)
  }

  function partyChanged({ connectionId, party }: NoticeOf<'party_changed'>): void {
    if (participants.isExpectedUser(connectionId, party)) emitter.emit('party_changed', { connectionId, party })
  }

  async function connectionRemoved({ connectionId }: NoticeOf<'connection_removed'>): Promise<void> {
    await outbox.removeConnection(connectionId)
    await drafts.drop(connectionId)
    contacts.invalidate(connectionId)
    deps.order.removeConnection(connectionId)
    emitter.emit('connection_removed', { connectionId })
  }

  async function handle(frame: Notice): Promise<void> {
    switch (frame.type) {
      case 'new_message':
        return messageArrived(frame)
      case 'message_deleted':
        return receiver.receiveDeleted(frame.message)
      case 'epoch_published':
        return epochPublished(frame.epoch)
      case 'keys_replaced':
        contacts.invalidateUser(frame.userId)
        return trustChanged()
      case 'authorization_requested':
        return downloadRequested(frame)
      case 'authorization_changed':
        return emitter.emit('authorization_changed', { filePath: frame.filePath, status: frame.status })
      case 'progress':
        return emitter.emit('progress', frame.progress)
      case 'connection_created':
        if (participants.isExpected(frame.connection)) emitter.emit('connection_created', frame.connection)
        return
      case 'connection_removed':
        return connectionRemoved(frame)
      case 'party_changed':
        return partyChanged(frame)
      case 'lifetime_changed':
        lifetimes.record({ ...frame, id: frame.connectionId })
        return emitter.emit('lifetime_changed', frame)
      case 'blocks_changed':
      case 'requests_changed':
      case 'user_changed':
      case 'organization_changed':
      case 'second_factor_changed':
      case 'sessions_changed':
      case 'notifications_changed':
        return emitter.emit(frame.type, undefined)
      case 'preferences_changed':
        if (frame.policy.onlyApprovedBrowsers && !keyring.isOnlyApproved()) keyring.refresh().catch(() => {})
        return emitter.emit('preferences_changed', { preferences: frame.preferences, policy: frame.policy })
      case 'notification':
        return emitter.emit('notification', frame.notification)
      case 'pins_changed':
        return deps.refreshPins()
      case 'browsers_changed':
        return keyring.refresh().then(() => emitter.emit('browsers_changed', undefined))
    }
  }

  // A notice that fails is covered by the next resync.
  return async (frame) => {
    if (frame.type === 'authenticated' || frame.type === 'pong' || frame.type === 'resync') return
    await handle(frame).catch(() => {})
  }
}
