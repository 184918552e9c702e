import { config as configContract } from '@privity/contract/config'
import type { ServerFrame } from '@privity/contract/events'
import { session as sessionContract } from '@privity/contract/session'
import { deriveMasterKey } from '@privity/e2ee'
import { type Account, createAccount } from './account/account.ts'
import type { AuditLogs } from './auditLogs.ts'
import { type Call, createCall } from './transport/call.ts'
import { type Alarm, CallError, saying } from './transport/callError.ts'
import { createCheckingFetch } from './transport/fetchMonitor.ts'
import { createChanging } from './account/newKeys/lazyRotateKeys.ts'
import { type Clock, systemClock } from './transport/clock.ts'
import { type Connections, createConnections } from './connections.ts'
import { createBrowserDevice, createMemoryDevice, type Device, sayingWhy } from './device/device.ts'
import type { Drafts } from './messages/drafts.ts'
import { createEnding } from './account/logout.ts'
import { createEmitter, type Emitter } from './transport/emitter.ts'
import { createLocalFileCrypto, type FileCrypto } from './files/fileCrypto.ts'
import type { Files } from './files/files.ts'
import { createFetchPut, type Put, putByXhr } from './files/put.ts'
import { followWindow } from './transport/window.ts'
import { createKeysLock } from './account/newKeys/rotationLock.ts'
import { createLive, type LiveState, type OpenSocket } from './transport/socket.ts'
import { loadedLater } from './transport/lazy.ts'
import { createNotifications, type Notifications } from './notifications.ts'
import type { Organization } from './organization.ts'
import type { OwnAccount } from './account/ownAccount.ts'
import type { Reading } from './messages/decrypt.ts'
import { createPreferences, type PreferenceAccess } from './preferences.ts'
import type { Privacy } from './privacy.ts'
import type { Reports } from './reports.ts'
import { createRemoval } from './account/deletion.ts'
import type { SecondFactor } from './account/secondFactor.ts'
import { createPasswordDerivation, type DeriveMasterKey } from './keys/passwordKeys.ts'
import { openSession, type Session } from './session.ts'
import { createServerTime, mostDrift } from './transport/serverClock.ts'
import { createStore, type Store } from './transport/store.ts'
import { createTabs } from './device/tabs.ts'
import { draftsOf, filesOf, trustOf } from './lazySession.ts'
import type { TrustCalls } from './trust/trust.ts'
import type { ClientEvents, OutboxItem, Transfer } from './types.ts'
import { createUnsent, type Unsent } from './account/unsentWork.ts'

/** Everything a tab does that is not drawing. All of it but `account` and `call` needs an open account. */
export interface Client {
  call: Call
  account: Account
  ownAccount: OwnAccount
  secondFactor: SecondFactor
  connections: Connections
  messages: Omit<Reading, 'open' | 'catchUp' | 'find'> & {
    /** Resolves once the text is kept, sealed, on this device, in one transaction with `draft`, the rest of the draft. */
    send(connectionId: string, text: string, draft?: string): Promise<OutboxItem>
    retry(id: string): Promise<void>
    discard(id: string): Promise<void>
  }
  outbox: Store<readonly OutboxItem[]>
  drafts: Drafts
  unsent(): Promise<Unsent>
  files: Files & { transfers: Store<readonly Transfer[]> }
  trust: TrustCalls
  notifications: Notifications
  preferences: PreferenceAccess
  privacy: Privacy
  organization: Organization
  reports: Reports
  auditLogs: AuditLogs
  live: Store<LiveState>
  /** While true the socket rests: nothing is heard, and the other parties see the user offline. */
  rest(resting: boolean): void
  on: Emitter<ClientEvents>['on']
  /** The server's time, in milliseconds. */
  now(): number
  /** Whether the server's clock was more than 10 minutes from the device's when it was last asked. */
  clockDiffers: Store<boolean>
  close(): void
}

export interface ClientOptions {
  /** Of the server: https://privity.example, without a slash at the end. */
  origin: string
  device?: Device
  fetch?: typeof globalThis.fetch
  openSocket?: OpenSocket
  clock?: Clock
  deriveMasterKey?: DeriveMasterKey
  /** Versions of Argon2id's cost, newest first. */
  passwordVersions?: readonly [number, ...number[]]
  fileCrypto?: FileCrypto
}

export function createClient(options: ClientOptions): Client {
  const { origin, openSocket = (url) => new WebSocket(url) } = options
  const passwords = createPasswordDerivation(options.deriveMasterKey ?? deriveMasterKey, options.passwordVersions)
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis)
  const browser = options.device ?? (typeof indexedDB === 'undefined' ? createMemoryDevice() : createBrowserDevice())
  const device = sayingWhy(browser)
  const { clock, retention, differs } = createServerTime(options.clock ?? systemClock, {
    ask: () => call(configContract.get, {}),
    moved(by) {
      session?.woke()
      // What was taken to have expired has not.
      if (by < -mostDrift) emitter.emit('resync', undefined)
    },
  })
  const put: Put = typeof window !== 'undefined' && !options.fetch ? putByXhr : createFetchPut(fetch)
  const emitter = createEmitter<ClientEvents>(['alarm'])
  const outbox = createStore<readonly OutboxItem[]>([])
  const transfers = createStore<readonly Transfer[]>([])
  let session: Session | undefined

  function signedOut(reason: ClientEvents['signed_out']['reason']): void {
    const { status } = account.state.get()
    // The server ends the session of an account that it deletes, or gives other keys, before it answers.
    if (removal.isRunning() || (reason === 'ended' && changing.isRunning())) return
    if (status === 'signedOut' || status === 'checking') return
    if (reason === 'elsewhere') return leave({ reason })
    const over = session
    live.afterEndReason(() => {
      // Who has signed in since is another session.
      if (session !== over || account.state.get().status === 'signedOut') return
      const because = live.endReason()
      leave(because ? { reason, because } : { reason })
    })
  }

  function leave(end: ClientEvents['signed_out']): void {
    emitter.emit('signed_out', end)
    // Keys that the device refuses to remove now are removed later.
    account.ended(end.reason === 'ended').catch(() => {})
  }
  const factorMissing = () => void account.factorMissing()
  const checkedFetch = createCheckingFetch(fetch, clock, () => live.check())
  const call = createCall(origin, checkedFetch, () => signedOut('ended'), factorMissing)
  const tabs = createTabs(browser, (notice) => {
    if (notice.type === 'signed_out') signedOut('elsewhere')
    else if (notice.type === 'keys_changing' || notice.type === 'keys_changed') {
      if (notice.userId === session?.userId) void changing.hear(notice)
    } else if (notice.userId !== session?.userId) {
      // Somebody signed in in another tab of this browser: the cookie is his now.
      if (notice.type === 'signed_in') void account.start().catch(() => signedOut('ended'))
    } else session?.hearTab(notice)
  })

  /** Whose the cookie is now: nobody's (the call's 401 signs out), or that of who signed in in another tab. */
  async function recheck(): Promise<void> {
    const user = await call(sessionContract.getUser, {})
    if (session && user.id !== session.userId) await account.start()
    // A call that needs what the socket was refused for.
    else await call(sessionContract.listSessions, {})
  }

  const live = createLive({
    origin,
    clock,
    openSocket,
    hear: (frame: ServerFrame) => void session?.hear(frame),
    ready() {
      clock.correct().catch(() => {})
      session?.reconnected()
      emitter.emit('resync', undefined)
    },
    refused: () => recheck().catch(() => {}),
  })

  const ending = createEnding({ call, clock, device })
  const keysLock = createKeysLock(clock, tabs)
  const account = createAccount({
    call,
    clock,
    device,
    ending,
    whileOpening: keysLock.whileOpening,
    passwords,
    correctClock: clock.correct,
    async open(opened) {
      await session?.stop()
      await clock.correct()
      const fileCrypto = options.fileCrypto ?? createLocalFileCrypto(fetch)
      session = await openSession(
        {
          origin,
          call,
          clock,
          device,
          tabs,
          emitter,
          live,
          outbox,
          transfers,
          fileCrypto,
          put,
          retention,
          replaced: (keys) => changing.replaced(keys),
        },
        opened,
      )
      live.open(opened.user.id)
    },
    async close() {
      const over = session
      // Before it stops: what hears of its end must not go on in it.
      session = undefined
      const settled = over?.stop()
      live.close()
      await settled
    },
    tellTabs: () => tabs.tell({ type: 'signed_out' }),
    alarm: (code) => emitter.emit('alarm', saying(code)),
  })
  const removal = createRemoval({
    async removed(userId) {
      await account.removed(userId)
      tabs.tell({ type: 'signed_out' })
    },
    recheck,
  })
  const changing = createChanging({ clock, account, keysLock, tell: tabs.tell, recheck })
  const proving = { call, passwords, state: account.state }
  const ownAccount = loadedLater(async () => {
    const { createOwnAccount } = await import('./account/ownAccount.ts')
    const alarm: Alarm = (code) => emitter.emit('alarm', saying(code))
    return createOwnAccount({ ...proving, clock, device, changed: account.changed, removal, changing, alarm })
  })
  const secondFactor = loadedLater(async () => (await import('./account/secondFactor.ts')).createSecondFactor(proving))
  account.state.subscribe(() => {
    const state = account.state.get()
    if (state.status === 'open') tabs.tell({ type: 'signed_in', userId: state.user.id })
  })
  const stopFollowing = followWindow({
    online() {
      live.wake()
      clock.check()
      session?.outbox.flush()
      ending.wake()
    },
    offline: live.check,
    visible() {
      session?.woke()
      live.wake()
      live.check()
      clock.check()
    },
  })

  function current(): Session {
    if (session) return session
    throw new CallError('NOT_SIGNED_IN')
  }

  const connections = createConnections(call, (made) => session?.parties.isRight(made) ?? true)
  const privacy = loadedLater(async () => {
    const { createPrivacy } = await import('./privacy.ts')
    return createPrivacy({ ...proving, clock, connections: connections.list, session: current })
  })

  return {
    call,
    account,
    ownAccount,
    secondFactor,
    connections,
    messages: {
      list: async (...given) => current().reading.list(...given),
      markRead: async (connectionId) => current().reading.markRead(connectionId),
      unreadCounts: async () => current().reading.unreadCounts(),
      progress: async (connectionId) => current().reading.progress(connectionId),
      send: async (...given) => current().send(...given),
      retry: async (id) => current().outbox.retry(id),
      discard: async (id) => current().outbox.discard(id),
    },
    outbox,
    drafts: draftsOf(current),
    unsent: createUnsent({ account, device, transfers }),
    files: { transfers, ...filesOf(current) },
    trust: trustOf(current),
    notifications: createNotifications(call),
    preferences: createPreferences(call),
    privacy,
    organization: loadedLater(async () => (await import('./organization.ts')).createOrganization(call, origin)),
    reports: loadedLater(async () => (await import('./reports.ts')).createReports(call, current)),
    auditLogs: loadedLater(async () => (await import('./auditLogs.ts')).createAuditLogs(call)),
    live: live.state,
    rest: live.rest,
    on: emitter.on,
    now: () => clock.now(),
    clockDiffers: differs,
    close() {
      void session?.stop()
      session = undefined
      live.close()
      ending.stop()
      tabs.close()
      stopFollowing()
    },
  }
}
