import { config } from '@privity/contract/config'
import { messages } from '@privity/contract/messages'
import {
  type AccountKey,
  createEnvelope,
  createEpoch,
  createIdentity,
  importAccountKey,
  importIdentity,
  newId,
  sealMessage,
} from '@privity/e2ee'
import type { Call } from '../../src/call.ts'
import { createDrafts } from '../../src/drafts.ts'
import type { SendingEnvelope, Envelopes } from '../../src/envelopes.ts'
import { CallError, createMemoryDevice, type Device, type OutboxItem } from '../../src/index.ts'
import type { Keyring } from '../../src/keyring.ts'
import { createOutbox } from '../../src/outbox.ts'
import { createOutboxKeeping } from '../../src/outboxKeeping.ts'
import type { Peers } from '../../src/peers.ts'
import { createPosting } from '../../src/posting.ts'
import { createStore } from '../../src/store.ts'
import type { TabNotice, Tabs } from '../../src/tabs.ts'
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
    const { epoch } = await createEpoch({ identity, userId, n: 1, createdAt: 0 })
    return { userId, identity, epoch }
  }
  const sender = await person('0198c0de-0000-7000-8000-00000000000a')
  const other = await person('0198c0de-0000-7000-8000-00000000000b')
  const recipient = { ...other, identityKey: other.identity.publicKey }
  const envelopes = new Map<string, SendingEnvelope>()
  for (const connectionId of connectionIds) {
    const made = await createEnvelope({ id: newId(0), connectionId, sender, recipient })
    envelopes.set(connectionId, { ...made, senderIdentityKey: sender.identity.publicKey, known: true })
    // The first message loads modules, which takes real time: load them before the fake clock starts.
    const { envelope, conversationKey } = made
    const body = { kind: 'text', text: 'First' } as const
    await sealMessage({ conversationKey, identity: sender.identity, messageId: newId(0), envelope, body })
  }
  return { accountKey: await importAccountKey(new Uint8Array(32)), sender, envelopes }
}

export type Keys = Awaited<ReturnType<typeof createKeys>> & { accountKey: AccountKey }

/** One browser: its store, the tabs that share it, and what lies between them and the server. */
export function createBrowser(time: Time, random: () => number, keys: Keys, server: Server) {
  const { userId, identity } = keys.sender
  const state = { device: 'well' as DeviceState, network: 'well' as NetworkState }
  const values = createMemoryDevice()
  const living = new Map<string, (notice: TabNotice) => void>()
  const arriving = new Map<string, (id: string) => void>()
  const locks = new Map<string, { holder: string; next: () => void }[]>()
  const never = new Promise<never>(() => {})
  const wait = (ms: number) => new Promise<void>((resolve) => void time.after(ms, resolve))

  function release(name: string): void {
    const queue = locks.get(name) ?? []
    queue.shift()
    queue[0]?.next()
  }

  /** As Web Locks do: in the order they were asked for, and released when the tab is gone. */
  async function alone<T>(tabId: string, name: string, work: () => Promise<T>): Promise<T> {
    const queue = locks.get(name) ?? []
    locks.set(name, queue)
    const { promise: turn, resolve: next } = Promise.withResolvers<void>()
    const entry = { holder: tabId, next }
    queue.push(entry)
    if (queue[0] === entry) next()
    await turn
    if (!living.has(tabId)) return never
    try {
      return await work()
    } finally {
      if (queue[0] === entry) release(name)
    }
  }

  function kill(tabId: string): void {
    living.delete(tabId)
    arriving.delete(tabId)
    for (const [name, queue] of locks) {
      const [first] = queue
      for (const entry of queue.filter((each) => each !== first && each.holder === tabId))
        queue.splice(queue.indexOf(entry), 1)
      if (first?.holder === tabId) release(name)
    }
  }

  function openTab() {
    const id = crypto.randomUUID()
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
      // A request that has left arrives, whether the tab still lives or not.
      await wait(takes())
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

    const call = (async (endpoint: unknown, sent: { body?: never; params?: { id: string } }) => {
      if (endpoint === config.get) return travel(() => ({}))
      if (endpoint === messages.list) return travel(() => server.list(sent.params?.id ?? ''))
      return travel(() => {
        const { message, isNew } = server.send(sent.body as never)
        if (isNew) tellOthers(message.id)
        return message
      })
    }) as unknown as Call

    const tabs: Pick<Tabs, 'id' | 'tell' | 'alone' | 'ifGone'> = {
      id,
      tell(notice) {
        if (!living.has(id)) return
        for (const other of living.keys())
          if (other !== id) time.after(Math.floor(random() * 5), () => living.get(other)?.(notice))
      },
      alone: (name, work) => alone(id, name, work),
      ifGone: async (tabId, work) => (living.has(tabId) ? undefined : alone(id, `life/${tabId}`, work)),
    }
    const clock = {
      now: time.now,
      after: (ms: number, run: () => void) => time.after(ms, () => living.has(id) && run()),
    }
    const own = { userId, accountKey: keys.accountKey }
    const items = createStore<readonly OutboxItem[]>([])
    const drafts = createDrafts(device, { ...own, tabs })
    const outbox = createOutbox({
      userId,
      clock,
      retention: () => retention,
      keeping: createOutboxKeeping(device, { ...own, changed: () => tabs.tell({ type: 'outbox', userId }) }),
      posting: createPosting({
        call,
        keyring: {
          userId,
          identity,
          keepFresh: async () => {},
          refresh: async () => {},
        } as Partial<Keyring> as Keyring,
        peers: { get: async () => ({ changed: false, pin: undefined }), forget() {} } as unknown as Peers,
        envelopes: {
          forSending: async (connectionId: string) => keys.envelopes.get(connectionId),
          remember() {},
          forget() {},
        } as Partial<Envelopes> as Envelopes,
        live: { socketId: () => (state.network === 'well' ? id : undefined) },
        tagOf: async () => undefined,
        now: time.now,
      }),
      tabs: { ...tabs, together: (_name, work) => work(), close() {} },
      items,
      stored: async () => {},
      failed() {},
    })
    living.set(id, () => void outbox.followTab().catch(() => {}))
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
        outbox.add(connectionId, { kind: 'text', text }, { others: () => drafts.changeOf(connectionId, '') }),
      die: () => kill(id),
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
