import { config as configContract } from '@privity/contract/config'
import type { ServerFrame } from '@privity/contract/events'
import { deriveMasterKey } from '@privity/e2ee'
import { createAccount } from './account/account.ts'
import type { Account } from './account/types.ts'
import type { AuditLogs } from './auditLogs.ts'
import { type Call, createCall, createMonitoredFetch } from './transport/call.ts'
import { type SecurityAlert, toUserMessage } from './transport/callError.ts'
import { createKeyRotation } from './account/newKeys/rotateKeys.ts'
import type { ClientOptions } from './clientOptions.ts'
import { systemClock } from './transport/clock.ts'
import { type Connections, createConnections } from './connections.ts'
import { createCurrentSession } from './currentSession.ts'
import { createBrowserDevice, createMemoryDevice, withStorageErrors } from './device/device.ts'
import type { Drafts } from './messages/drafts.ts'
import { createLogout } from './account/logout.ts'
import { createSessionCheck } from './account/sessionCheck.ts'
import { createEmitter, type Emitter } from './transport/emitter.ts'
import { createLocalFileCrypto } from './files/fileCrypto.ts'
import { type Files, forwardFiles } from './files/files.ts'
import { createFetchPut, type Put, putByXhr } from './files/put.ts'
import { watchWindow } from './transport/window.ts'
import { createRotationLock } from './account/newKeys/rotationLock.ts'
import { createLiveSocket, type LiveState } from './transport/socket.ts'
import { forwardCalls, loadLazily } from './transport/lazy.ts'
import { createNotifications, type Notifications } from './notifications.ts'
import type { Organization } from './organization.ts'
import type { OwnAccount } from './account/ownAccount.ts'
import type { DecryptedMessages } from './messages/decrypt.ts'
import { createPreferences, type PreferenceAccess } from './preferences.ts'
import type { Privacy } from './privacy.ts'
import type { Push } from './push.ts'
import type { Reports } from './reports.ts'
import { createDeletion } from './account/deletion.ts'
import type { BrowserSettings } from './keys/browsers/browserSettings.ts'
import type { SecondFactor } from './account/secondFactor.ts'
import { createPageReload, type PageReload } from './pageReload.ts'
import { createPasswordDerivation } from './keys/passwordKeys.ts'
import { openSession, type Session, type SessionDeps } from './session.ts'
import { createServerTime, maxDriftMs } from './transport/serverClock.ts'
import { createStore, type Store } from './transport/store.ts'
import { createSharedComputer } from './account/sharedComputer.ts'
import { createAccountDevice } from './device/sharedComputer.ts'
import { createTabs } from './device/tabs.ts'
import type { TrustCalls } from './trust/types.ts'
import type { ClientEvents, OutboxItem, Transfer } from './types.ts'
import { createUnsentWork, type UnsentWork } from './account/unsentWork.ts'

/** Everything that a tab does apart from drawing. Calls that need keys throw NOT_SIGNED_IN while no account is open. */
export interface Client {
  call: Call
  account: Account
  ownAccount: OwnAccount
  secondFactor: SecondFactor
  browsers: Omit<BrowserSettings, 'visit'>
  /** Whether the mode is "Only approved browsers", as known without a call. */
  isOnlyApproved(): Promise<boolean>
  connections: Connections
  messages: Omit<DecryptedMessages, 'decrypt' | 'listWhole' | 'catchUp' | 'find'> & {
    /**
     * Resolves once the text is stored, encrypted, on this device, in one transaction with `draft`, the rest of the
     * draft. `quote`: what it replies to, by `quoteOf`.
     */
    send: Session['send']
    retry(id: string): Promise<void>
    discard(id: string): Promise<void>
    /** Deletes an own message for both sides. Throws OFFLINE, or MESSAGE_NOT_FOUND once it has expired. */
    delete: Session['deleteMessage']
  }
  outbox: Store<readonly OutboxItem[]>
  drafts: Drafts
  unsent(): Promise<UnsentWork>
  files: Files & { transfers: Store<readonly Transfer[]> }
  trust: TrustCalls
  notifications: Notifications
  push: Push
  preferences: PreferenceAccess
  privacy: Privacy
  organization: Organization
  reports: Reports
  auditLogs: AuditLogs
  live: Store<LiveState>
  /** While true the socket stays closed: nothing arrives, and contacts see the user offline. */
  rest(resting: boolean): void
  on: Emitter<ClientEvents>['on']
  /** The server's time, in milliseconds. */
  now(): number
  /** Whether the server's clock was more than 10 minutes from the device's when it was last asked. */
  clockDiffers: Store<boolean>
  reload: PageReload
  close(): void
}

export function createClient(options: ClientOptions): Client {
  const { origin, openSocket = (url) => new WebSocket(url) } = options
  const passwords = createPasswordDerivation(options.deriveMasterKey ?? deriveMasterKey, options.passwordVersions)
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis)
  const browser = options.device ?? (typeof indexedDB === 'undefined' ? createMemoryDevice() : createBrowserDevice())
  const device = createAccountDevice(withStorageErrors(browser))
  const time = createServerTime(options.clock ?? systemClock, {
    ask: () => call(configContract.get, {}),
    onCorrection(correctionMs) {
      session.get()?.checkTimes()
      // The clock went back: messages that were removed as expired may still live.
      if (correctionMs < -maxDriftMs) emitter.emit('resync', undefined)
    },
  })
  const { clock, retention } = time
  const put: Put = typeof window !== 'undefined' && !options.fetch ? putByXhr : createFetchPut(fetch)
  const emitter = createEmitter<ClientEvents>(['alarm'])
  const alarm: SecurityAlert = (code) => emitter.emit('alarm', toUserMessage(code))
  const outbox = createStore<readonly OutboxItem[]>([])
  const transfers = createStore<readonly Transfer[]>([])
  const session = createCurrentSession()

  function signedOut(reason: ClientEvents['signed_out']['reason']): void {
    const { status } = account.state.get()
    // The server ends the session before it responds to a deletion or a key replacement: not shown to the user.
    if (deletion.isRunning() || (reason === 'ended' && keyRotation.isRunning())) return
    if (status === 'signedOut' || status === 'checking') return
    if (reason === 'elsewhere') return emitSignedOut({ reason })
    const endedSession = session.get()
    live.afterEndReason(() => {
      // Another session was opened meanwhile.
      if (session.get() !== endedSession || account.state.get().status === 'signedOut') return
      const because = live.endReason()
      emitSignedOut(because ? { reason, because } : { reason })
    })
  }

  function emitSignedOut(end: ClientEvents['signed_out']): void {
    emitter.emit('signed_out', end)
    // Keys that the device refuses to remove now are removed on a later attempt.
    account.close({ removeKeys: end.reason === 'ended' }).catch(() => {})
  }
  const checkedFetch = createMonitoredFetch(fetch, clock, () => live.check())
  const onFactorMissing = () => void account.requireFactor()
  const call = createCall(origin, checkedFetch, (refused) => isSignedIn(refused), onFactorMissing)
  const { recheck, isSignedIn } = createSessionCheck({
    call,
    openUserId: () => (deletion.isRunning() || keyRotation.isRunning() ? undefined : session.get()?.userId),
    openAccount: () => account.start(),
    signOut: () => signedOut('ended'),
  })
  const tabs = createTabs(browser, (notice) => {
    if (notice.type === 'signed_out') signedOut('elsewhere')
    else if (notice.type === 'locked') account.followLock(notice.userId).catch(() => {})
    else if (notice.type === 'keys_changing' || notice.type === 'keys_changed') {
      if (notice.userId === session.get()?.userId) void keyRotation.handleNotice(notice)
    } else if (notice.userId !== session.get()?.userId) {
      // Another member signed in in another tab, so the cookie is theirs now.
      if (notice.type === 'signed_in') void account.followSignIn(notice.userId).catch(() => {})
    } else session.get()?.handleTabNotice(notice)
  })
  const live = createLiveSocket({
    origin,
    clock,
    openSocket,
    onFrame: (frame: ServerFrame) => void session.get()?.handleFrame(frame),
    onReady() {
      clock.synchronize().catch(() => {})
      session.get()?.reconnected()
      emitter.emit('resync', undefined)
    },
    onRefused: () => recheck().catch(() => {}),
  })
  const logout = createLogout({ call, clock, device: device.stored })
  const rotationLock = createRotationLock(clock, tabs)
  const account = createAccount({
    call,
    clock,
    device,
    sharedComputer: createSharedComputer(device, tabs),
    logout,
    whileOpening: rotationLock.whileOpening,
    passwords,
    correctClock: clock.synchronize,
    async open(opened) {
      await session.replace(async () => {
        await time.prepare()
        return openSession(sessionDeps, opened)
      })
      live.open(opened.user.id)
    },
    approveBrowser: async (recoveryKey) =>
      (await (await session.wait()).keyring.loadBrowsers()).openWithRecoveryKey(recoveryKey),
    async close() {
      const settled = session.end()
      live.close()
      await settled
    },
    notifyTabs: tabs.notify,
    alarm,
  })
  const deletion = createDeletion({
    async removeData(userId) {
      await account.removeData(userId)
      tabs.notify({ type: 'signed_out' })
    },
    recheck,
  })
  const onNotOpened = () => emitter.emit('signed_out', { reason: 'ended', because: 'keys_not_opened' })
  const keyRotation = createKeyRotation({ clock, account, rotationLock, notifyTabs: tabs.notify, recheck, onNotOpened })
  const sessionDeps: SessionDeps = {
    origin,
    call,
    clock,
    device,
    tabs,
    emitter,
    live,
    outbox,
    transfers,
    put,
    retention,
    fileCrypto: { ...createLocalFileCrypto(fetch), ...options.fileCrypto },
    isOwnReplacement: keyRotation.isOwnReplacement,
  }
  const passwordDeps = { call, passwords, state: account.state }
  const ownAccount = loadLazily(async () => {
    const { createOwnAccount } = await import('./account/ownAccount.ts')
    const { setUser } = account
    return createOwnAccount({ ...passwordDeps, clock, device, tabs, setUser, deletion, keyRotation, alarm })
  })
  const secondFactor = loadLazily(async () =>
    (await import('./account/secondFactor.ts')).createSecondFactor(passwordDeps),
  )
  account.state.subscribe(() => {
    const state = account.state.get()
    if (state.status === 'open') tabs.notify({ type: 'signed_in', userId: state.user.id })
  })
  const unwatchWindow = watchWindow({
    online() {
      live.wake()
      clock.check()
      session.get()?.outbox.flush()
      logout.wake()
    },
    offline: live.check,
    visibility: live.reportVisibility,
    visible() {
      session.get()?.checkTimes()
      live.wake()
      live.check()
      clock.check()
    },
  })
  const trust = forwardCalls(async () => (await session.wait()).trust)
  const connections = createConnections({
    call,
    origin,
    participants: () => session.get()?.participants,
    recordLifetime: (connection) => session.get()?.lifetimes.record(connection),
    trust,
    alarm,
  })
  const privacy = loadLazily(async () => {
    const { createPrivacy } = await import('./privacy.ts')
    return createPrivacy({ ...passwordDeps, clock, connections: connections.list, session: session.require })
  })

  return {
    call,
    account,
    ownAccount,
    secondFactor,
    connections,
    browsers: forwardCalls(async () => (await session.wait()).keyring.loadBrowsers()),
    isOnlyApproved: async () => (await session.wait()).keyring.isOnlyApproved(),
    messages: forwardCalls(async () => {
      const { decryptedMessages, outbox, send, deleteMessage } = await session.wait()
      return { ...decryptedMessages, send, retry: outbox.retry, discard: outbox.discard, delete: deleteMessage }
    }),
    outbox,
    drafts: forwardCalls(async () => (await session.wait()).drafts),
    unsent: createUnsentWork({ account, device, transfers }),
    files: { transfers, ...forwardFiles(() => session.require().files) },
    trust,
    notifications: createNotifications(call),
    push: loadLazily(async () => (await import('./push.ts')).createPush(call)),
    preferences: createPreferences(call),
    privacy,
    organization: loadLazily(async () => (await import('./organization.ts')).createOrganization(call, origin)),
    reports: loadLazily(async () => (await import('./reports.ts')).createReports(call, session.require)),
    auditLogs: loadLazily(async () => (await import('./auditLogs.ts')).createAuditLogs(call)),
    live: live.state,
    rest: live.rest,
    on: emitter.on,
    now: () => clock.now(),
    clockDiffers: time.differs,
    reload: createPageReload({ account, device, time, session: session.get }),
    close() {
      void session.end()
      live.close()
      logout.stop()
      tabs.close()
      unwatchWindow()
    },
  }
}
