import { config } from '@privity/contract/config'
import { connections } from '@privity/contract/connections'
import { limits } from '@privity/contract/limits'
import { type Message, messages as contract } from '@privity/contract/messages'
import {
  CallError,
  type ClientEvents,
  createMemoryDevice,
  type DecryptedMessage,
  type Device,
  type OutboxItem,
} from '../../../src/index.ts'
import { createTabs, type TabNotice } from '../../../src/device/tabs.ts'
import type { Keyring } from '../../../src/keys/keyring.ts'
import { openConversations } from '../../../src/messages/conversations.ts'
import { createMessageSender } from '../../../src/messages/encrypt.ts'
import { createEnvelopes } from '../../../src/messages/envelopes.ts'
import { createLifetimes } from '../../../src/messages/lifetimes.ts'
import { createOutbox } from '../../../src/messages/outbox/outbox.ts'
import { createOutboxStore } from '../../../src/messages/outbox/outboxStore.ts'
import type { Call } from '../../../src/transport/call.ts'
import { createEmitter } from '../../../src/transport/emitter.ts'
import type { ServerClock } from '../../../src/transport/serverClock.ts'
import type { LiveSocket } from '../../../src/transport/socket.ts'
import { createStore } from '../../../src/transport/store.ts'
import { firstPin } from '../../../src/trust/pinChanges.ts'
import type { Contacts } from '../../../src/trust/types.ts'
import type { Time } from '../sendingModel/time.ts'
import { createEpochChains, type Human, type People } from './people.ts'
import { createTravel, type NetworkState } from './network.ts'
import { connectionId, createServer, type Stored } from './server.ts'

export interface Browser {
  person: Human
  device: Device
  network: NetworkState
  /** Milliseconds by which its clock is ahead of the server's. */
  ahead: number
  /** When the device fell asleep: no timer runs until it wakes. */
  asleepSince: number | undefined
  /** Milliseconds for which its monotonic clock has stood still, because it slept. */
  slept: number
  /** Timers that were due while it slept. */
  due: (() => void)[]
}

interface Sent {
  params?: { id: string }
  body?: Parameters<ReturnType<typeof createServer>['send']>[1] & { deletion?: string }
  query?: object
}

/** Two people with browsers and tabs around one server: everything real but network, keys and time. */
export function createWorld(people: People, time: Time, random: () => number) {
  const { newestOf, seedOf, publish, destructionOf, lifetimeOf } = createEpochChains(people, time)
  const server = createServer(time, lifetimeOf)
  const tabs = new Set<Tab>()
  const never = new Promise<never>(() => {})

  /** Seconds for half of the clocks, and for the others what is still right. */
  function createAhead(): number {
    const max = random() < 0.5 ? 5_000 : limits.clockTolerance
    return Math.round((2 * random() - 1) * max)
  }

  function createBrowser(person: Human): Browser {
    return {
      person,
      device: createMemoryDevice(),
      network: 'well',
      ahead: createAhead(),
      asleepSince: undefined,
      slept: 0,
      due: [],
    }
  }

  /** As a page that asks the server for the time. */
  function learnTime(browser: Browser): void {
    const { ahead } = server.state
    if (Math.abs(browser.ahead - ahead) > limits.clockTolerance) browser.ahead = ahead + createAhead()
  }

  function createKeyring(person: Human): Keyring {
    const { userId, identity, accountKey } = person
    return {
      userId,
      accountKey,
      identity,
      current: () => newestOf(person),
      identityKeyAt: () => identity.publicKey,
      seed: async (n) => seedOf(person, n),
      async requireSeed(n) {
        const seed = seedOf(person, n)
        if (!seed) throw new CallError('KEY_DESTROYED')
        return seed
      },
      holds: () => true,
      heldUntil: (n) => destructionOf(person, n),
      knows: () => true,
      refresh: async () => {},
      isOnlyApproved: () => false,
      renewEpoch: () => publish(person),
      loadBrowsers: () => never,
      stop: async () => {},
    }
  }

  function createContact(person: Human): Contacts {
    const { userId, identity } = person
    const identityKey = identity.publicKey
    const pin = firstPin(identityKey, 0)
    async function get() {
      await publish(person)
      return { userId, keys: { userId, identityKey, former: [], epoch: newestOf(person) }, pin, changed: false }
    }
    return {
      get,
      getForSending: get,
      presentSince: () => -Infinity,
      invalidate() {},
      accepted: () => ({ userId, pin }),
      acceptedKey: () => identityKey,
      hasAcceptedKeyAfter: () => false,
    } as Partial<Contacts> as Contacts
  }

  /** Everybody with a socket hears of a message or its deletion, unless the notice is lost. */
  function notify({ id }: Stored, socketId?: string): void {
    for (const tab of tabs) {
      if (tab.id === socketId || tab.browser.network === 'offline' || random() < 0.2) continue
      const takes = 1 + Math.floor(random() * (tab.browser.network === 'slow' ? 20_000 : 30))
      const found = server.shownTo(tab.browser.person.userId, 'notice').find((each) => each.id === id)
      if (!found) continue
      const shown = server.withEnvelope(found)
      time.afterElsewhere(takes, () => tab.isAlive() && void tab.receive(shown))
    }
  }

  async function openTab(browser: Browser) {
    const { person, device } = browser
    const { userId, accountKey } = person
    const contact = person === people[0] ? people[1] : people[0]
    let isAlive = true
    const own = createTabs(device, (notice) => time.after(1, () => void hear(notice)))
    const travel = createTravel({ time, random, state: () => browser.network, isAlive: () => isAlive })

    const call = (async (endpoint: unknown, sent: Sent) => {
      if (endpoint === config.get) return travel(() => ({}))
      if (endpoint === contract.list) return travel(() => server.list(userId, sent.query ?? {}))
      if (endpoint === connections.list) return travel(() => [{ id: connectionId, lifetime: server.lifetime() }])
      if (endpoint === contract.unreadCounts) return travel(() => [{ connectionId, count: 1 }])
      const { params, body } = sent
      if (endpoint === contract.delete)
        return travel(() => {
          const deleted = server.delete(userId, params?.id ?? '', body?.deletion ?? '')
          notify(deleted)
          return server.withEnvelope(deleted)
        })
      return travel(() => {
        const { message, isNew } = server.send(userId, body as NonNullable<Sent['body']>)
        if (isNew) notify(message, own.id)
        return server.state.answer(message)
      }, true)
    }) as unknown as Call

    const clock = {
      now: () => time.now() + browser.ahead,
      steady: () => (browser.asleepSince ?? time.now()) - browser.slept,
      after: (ms: number, run: () => void) =>
        time.after(ms, () => (browser.asleepSince ? browser.due.push(() => isAlive && run()) : isAlive && run())),
      isSynchronized: () => true,
      correction: () => browser.ahead,
      synchronize: () => travel(() => learnTime(browser)),
      check() {},
      async confirm(at: number) {
        if (Math.abs(at - clock.now()) > limits.clockTolerance) await clock.synchronize().catch(() => {})
      },
    } satisfies ServerClock
    const retention = () => server.state.retention
    const isConnected = () => !['offline', 'answersLost', 'questionsLost'].includes(browser.network)
    const live = {
      send() {},
      socketId: () => (isConnected() ? own.id : undefined),
    } as Partial<LiveSocket> as LiveSocket
    const emitter = createEmitter<ClientEvents>()
    const keyring = createKeyring(person)
    const contacts = createContact(contact)
    const lifetimes = createLifetimes({ call, retention })
    const envelopes = createEnvelopes({ clock, keyring, contacts, retention, lifetimeOf: lifetimes.of })
    const conversations = await openConversations({
      userId,
      accountKey,
      call,
      clock,
      device,
      tabs: own,
      emitter,
      live,
      retention,
      keyring,
      envelopes,
      contacts,
    })
    const { decryptedMessages, receiver, order } = conversations
    const items = createStore<readonly OutboxItem[]>([])
    const outbox = createOutbox({
      userId,
      clock,
      retention,
      store: createOutboxStore(device, {
        userId,
        accountKey,
        changed: (removed) => own.notify({ type: 'outbox', userId, removed }),
      }),
      sender: createMessageSender({
        call,
        keyring,
        contacts,
        envelopes,
        order,
        live,
        tagFor: async () => undefined,
        lifetimes,
        clock,
      }),
      isConnected,
      tabs: own,
      items,
      onStored: receiver.receive,
      onFailed() {},
    })
    async function hear(notice: TabNotice): Promise<void> {
      if (isAlive && notice.type === 'outbox') await outbox.followTab(notice.removed).catch(() => {})
    }
    const alarms: string[] = []
    emitter.on('alarm', ({ code }) => void alarms.push(code))
    // As the page does, because the check may have found messages that no notice has told of.
    emitter.on('order_changed', () => void tab.list())
    const shown = new Map<string, DecryptedMessage>()
    const broughtBack: string[] = []
    function show(message: DecryptedMessage): void {
      if (shown.get(message.id)?.body.kind === 'deleted' && message.body.kind !== 'deleted')
        broughtBack.push(`shown after its deletion: ${message.seq}`)
      shown.set(message.id, message)
    }
    emitter.on('message', show)
    emitter.on('deleted', show)
    await outbox.reload()
    outbox.flush()

    const tab = {
      id: own.id,
      browser,
      alarms,
      items,
      outbox,
      /** Messages that it was ever given, by id. */
      shown,
      broughtBack,
      isAlive: () => isAlive,
      async receive(message: Message) {
        await (message.deletion ? receiver.receiveDeleted(message) : receiver.receive(message)).catch(() => {})
        if (message.senderId === userId) await outbox.arrived(message.id).catch(() => {})
      },
      hearLifetime: () => lifetimes.record({ id: connectionId, lifetime: server.lifetime() }),
      send: (text: string) => outbox.add(connectionId, { kind: 'text', text }),
      /** Opens the conversation, as far as the network lets it. */
      async list(): Promise<DecryptedMessage[] | undefined> {
        const listed = await decryptedMessages.list(connectionId).catch(() => undefined)
        for (const message of listed ?? []) show(message)
        return listed
      },
      /** Deletes the newest own message that it shows, or one of those before it. */
      async delete(before: number) {
        const own = [...shown.values()].filter(({ mine, body }) => mine && body.kind === 'text')
        const message = own.at(-1 - before)
        if (message) await conversations.delete(message)
      },
      find: (seq: number) => decryptedMessages.find(connectionId, seq),
      catchUp: () => decryptedMessages.catchUp(),
      marks: () => order.marks(connectionId),
      setClock: (ahead: number) => void (browser.ahead = ahead),
      die() {
        isAlive = false
        tabs.delete(tab)
        own.close()
      },
    }
    tabs.add(tab)
    return tab
  }

  type Tab = Awaited<ReturnType<typeof openTab>>
  return { server, createAhead, createBrowser, learnTime, openTab, tabs }
}

export type World = ReturnType<typeof createWorld>
export type ModelTab = Awaited<ReturnType<World['openTab']>>
