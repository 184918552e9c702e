import { config } from '@privity/contract/config'
import { messages } from '@privity/contract/messages'
import { readSealedMessage } from '@privity/contract/sealedMessage'
import {
  type AccountKey,
  createEnvelope,
  createEpoch,
  createIdentity,
  fromBase64url,
  importAccountKey,
  importIdentity,
  newId,
  openPrivate,
  sealMessage,
} from '@privity/e2ee'
import { outboxBinding } from '../../../src/keys/aad.ts'
import type { Call } from '../../../src/transport/call.ts'
import { createDrafts } from '../../../src/messages/drafts.ts'
import type { SendingEnvelope, Envelopes } from '../../../src/messages/envelopes.ts'
import { CallError, createMemoryDevice, type Device, type OutboxItem } from '../../../src/index.ts'
import { outboxPrefix } from '../../../src/device/storageNames.ts'
import type { Keyring } from '../../../src/keys/keyring.ts'
import { createOutbox } from '../../../src/messages/outbox/outbox.ts'
import { createOutboxStore, type StoredItem } from '../../../src/messages/outbox/outboxStore.ts'
import type { Contacts } from '../../../src/trust/types.ts'
import { createMessageSender } from '../../../src/messages/encrypt.ts'
import { createStore } from '../../../src/transport/store.ts'
import { createTabs, type TabNotice } from '../../../src/device/tabs.ts'
import { retention, type Server } from './server.ts'
import type { Time } from './time.ts'

/** `lies`: it does as it is told and reports a failure. `faulty`: the one or the other, by chance. */
export type DeviceState = 'well' | 'slow' | 'refuses' | 'lies' | 'faulty'
export type NetworkState = 'well' | 'slow' | 'offline' | 'answersLost' | 'questionsLost' | 'serverDown'

export const connectionIds = ['0198c0de-0000-7000-8000-000000000001', '0198c0de-0000-7000-8000-000000000002'] as const

/** Keys as two people have them who are connected twice; made once, because making them takes longest. */
export async function createKeys() {
  const person = async (userId: string) => {
    const { seed } = await createIdentity()
    const identity = await importIdentity(seed)
    const { epoch } = await createEpoch({ identity, userId, n: 1, createdAt: 0, startsAt: 0 })
    return { userId, identity, epoch }
  }
  const sender = await person('0198c0de-0000-7000-8000-00000000000a')
  const other = await person('0198c0de-0000-7000-8000-00000000000b')
  const recipient = { ...other, identityKey: other.identity.publicKey }
  const envelopes = new Map<string, SendingEnvelope>()
  for (const connectionId of connectionIds) {
    const made = await createEnvelope({ id: newId(0), connectionId, sender, recipient })
    envelopes.set(connectionId, {
      ...made,
      senderIdentityKey: sender.identity.publicKey,
      readableUntil: Infinity,
      known: true,
      sealed: 0,
      isOpen: false,
      lifetime: retention,
      steadyAt: 0,
      deviceAt: 0,
    })
    // The first message loads modules, which takes real time: load them before the fake clock starts.
    const { envelope, conversationKey } = made
    const body = { kind: 'text', text: 'First' } as const
    const context = {
      sentAt: 0,
      n: 1,
      lifetime: retention,
      previous: undefined,
      otherPrevious: undefined,
      seen: undefined,
    }
    await sealMessage({ conversationKey, identity: sender.identity, messageId: newId(0), envelope, body, context })
  }
  return { accountKey: await importAccountKey(new Uint8Array(32)), sender, envelopes }
}

export type Keys = Awaited<ReturnType<typeof createKeys>> & { accountKey: AccountKey }

type Sent = Parameters<Server['send']>[0]

/** One browser: its store, the tabs that share it, and what lies between them and the server. */
export function createBrowser(
  { time, random, keys, server }: { time: Time; random: () => number; keys: Keys; server: Server },
  hear: { failed(id: string, error: unknown): void; left(id: string, kept: StoredItem | undefined): void },
) {
  const { userId, identity } = keys.sender
  const state = { device: 'well' as DeviceState, network: 'well' as NetworkState }
  const values = createMemoryDevice()
  /** Tabs whose page lives. */
  const living = new Set<string>()
  const arriving = new Map<string, (id: string) => void>()
  const never = new Promise<never>(() => {})
  const wait = (ms: number) => new Promise<void>((resolve) => void time.after(ms, resolve))

  /** The item as the store has it at this moment. */
  async function keptNow(id: string): Promise<StoredItem | undefined> {
    const sealed = await values.get(outboxPrefix(userId) + id)
    if (typeof sealed !== 'string') return undefined
    const plain = await openPrivate(keys.accountKey, outboxBinding(userId, id), sealed)
    return JSON.parse(new TextDecoder().decode(plain)) as StoredItem
  }

  function openTab() {
    const tabs = createTabs(values, (notice) => time.after(Math.floor(random() * 5), () => hearTab(notice)))
    const { id } = tabs
    const alive = async (ms: number) => {
      await wait(ms)
      if (!living.has(id)) await never
    }

    /** A tab may be gone before its question is put, and between that and the answer. */
    async function ask<T>(work: () => Promise<T>, isWrite: boolean): Promise<T> {
      const takes = () => Math.floor(random() * (state.device === 'slow' ? 2_000 : 4))
      if (!living.has(id)) await never
      await alive(takes())
      const now = state.device
      const fails = now !== 'well' && now !== 'slow' && random() < 0.6
      const isRefused = fails && (now === 'refuses' || (now === 'faulty' && random() < 0.5) || !isWrite)
      const done = isRefused ? undefined : await work()
      await alive(takes())
      if (fails) throw new CallError('STORAGE_FAILED')
      return done as T
    }

    const device: Device = {
      get: (name) => ask(() => values.get(name), false),
      names: (prefix) => ask(() => values.names(prefix), false),
      set: (name, value) => ask(() => values.set(name, value), true),
      remove: (name) => ask(() => values.remove(name), true),
      change: (all) => ask(() => values.change(all), true),
    }

    async function travel<T>(answer: () => T): Promise<T> {
      const takes = () => 1 + Math.floor(random() * (state.network === 'slow' ? 20_000 : 20))
      const { network } = state
      if (!living.has(id)) await never
      if (network === 'offline' || network === 'questionsLost') {
        await alive(network === 'offline' ? 0 : takes())
        throw new CallError('OFFLINE')
      }
      // A request that has left arrives, whether the tab still lives or not, and while the device sleeps.
      await new Promise<void>((resolve) => time.afterElsewhere(takes(), resolve))
      if (network === 'serverDown') {
        await alive(takes())
        throw new CallError('UNAVAILABLE', { status: 503 })
      }
      let result: T | undefined
      let error: Error | undefined
      try {
        result = answer()
      } catch (refused) {
        error = refused as Error
      }
      await alive(takes())
      if (network === 'answersLost') throw new CallError('OFFLINE')
      if (error) throw error
      return result as T
    }

    /** The others hear of it by their sockets, if they have one. */
    function tellOthers(messageId: string): void {
      for (const [tabId, hear] of arriving) {
        if (tabId === id || state.network !== 'well' || random() < 0.2) continue
        time.after(1 + Math.floor(random() * 30), () => arriving.has(tabId) && hear(messageId))
      }
    }

    const call = (async (endpoint: unknown, sent: { body?: Sent; params?: { id: string } }) => {
      if (endpoint === config.get) return travel(() => ({}))
      if (endpoint === messages.list) return travel(() => server.list(sent.params?.id ?? ''))
      const { body = { connectionId: '', content: '' } } = sent
      const { messageId = '' } = readSealedMessage(fromBase64url(body.content)) ?? {}
      if (living.has(id)) void keptNow(messageId).then((kept) => hear.left(messageId, kept))
      return travel(() => {
        const { message, isNew } = server.send(body)
        if (isNew) tellOthers(message.id)
        return message
      })
    }) as unknown as Call

    const clock = {
      now: time.now,
      correction: () => 0,
      after: (ms: number, run: () => void) => time.after(ms, () => living.has(id) && run()),
    }
    const own = { userId, accountKey: keys.accountKey }
    const items = createStore<readonly OutboxItem[]>([])
    const drafts = createDrafts(device, { ...own, tabs })
    const outbox = createOutbox({
      userId,
      clock,
      retention: () => retention,
      store: createOutboxStore(device, {
        ...own,
        changed: (removed) => tabs.notify({ type: 'outbox', userId, removed }),
      }),
      sender: createMessageSender({
        call,
        keyring: {
          userId,
          identity,
          renewEpoch: async () => {},
          refresh: async () => {},
        } as Partial<Keyring> as Keyring,
        contacts: { getForSending: async () => ({ pin: {} }), invalidate() {} } as unknown as Contacts,
        envelopes: {
          forSending: async (connectionId: string) => keys.envelopes.get(connectionId),
          remember() {},
          renew() {},
          forget() {},
        } as Partial<Envelopes> as Envelopes,
        order: {
          linksFor: async () => ({ previous: undefined, otherPrevious: undefined, seen: undefined, ownSentAt: 0 }),
          recordSending() {},
          recordStored() {},
        },
        live: { socketId: () => (state.network === 'well' ? id : undefined) },
        tagFor: async () => undefined,
        lifetimes: { of: async () => retention, forget() {} },
        clock: { now: time.now, correction: () => 0, synchronize: async () => {} },
      }),
      isConnected: () => state.network === 'well',
      tabs,
      items,
      onStored: async () => {},
      onFailed: hear.failed,
    })
    function hearTab(notice: TabNotice): void {
      if (living.has(id) && notice.type === 'outbox') void outbox.followTab(notice.removed).catch(() => {})
    }
    living.add(id)
    arriving.set(id, (messageId) => void outbox.arrived(messageId).catch(() => {}))
    const opened = outbox.reload().catch(() => {})
    void opened.then(() => outbox.flush())

    return {
      id,
      outbox,
      drafts,
      items,
      isAlive: () => living.has(id),
      send: (connectionId: string, text: string) =>
        outbox.add(connectionId, { kind: 'text', text }, { otherChanges: () => drafts.changeOf(connectionId, '') }),
      die() {
        living.delete(id)
        arriving.delete(id)
        tabs.close()
      },
    }
  }

  return {
    state,
    openTab,
    /** As a person does who clears the data of the page. */
    async empty() {
      for (const name of await values.names('')) await values.remove(name)
    },
  }
}

export type ModelTab = ReturnType<ReturnType<typeof createBrowser>['openTab']>
