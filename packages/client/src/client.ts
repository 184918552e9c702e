import { config as configContract } from '@privity/contract/config'
import type { ServerFrame } from '@privity/contract/events'
import { deriveMasterKey } from '@privity/e2ee'
import { createAccount } from './account/account.ts'
import type { Account } from './account/types.ts'
import { type Call, createCall, createMonitoredFetch } from './transport/call.ts'
import { type SecurityAlert, toUserMessage } from './transport/callError.ts'
import { createKeyRotation } from './account/newKeys/rotateKeys.ts'
import type { ClientOptions } from './clientOptions.ts'
import { systemClock } from './transport/clock.ts'
import { createCurrentSession } from './currentSession.ts'
import { createBrowserDevice, createMemoryDevice, withStorageErrors } from './device/device.ts'
import { createLogout } from './account/logout.ts'
import { createSessionCheck } from './account/sessionCheck.ts'
import { createEmitter, type Emitter } from './transport/emitter.ts'
import { createFeatures, type Features } from './features.ts'
import type { FileCrypto } from './files/fileCrypto.ts'
import { loadLazily } from './transport/lazy.ts'
import { watchWindow } from './transport/window.ts'
import { createRotationLock } from './device/timedLock.ts'
import { createLiveSocket, type LiveState } from './transport/socket.ts'
import { createDeletion } from './account/deletion.ts'
import { createPageReload, type PageReload } from './pageReload.ts'
import { createPasswordDerivation } from './keys/passwordKeys.ts'
import { openSession, type SessionDeps } from './session.ts'
import { createServerTime, maxDriftMs } from './transport/serverClock.ts'
import { createStore, type Store } from './transport/store.ts'
import { createSharedComputer } from './account/sharedComputer.ts'
import { createAccountDevice } from './device/sharedComputer.ts'
import { createTabs } from './device/tabs.ts'
import type { ClientEvents, OutboxItem, Transfer } from './types.ts'
import { createUnsentWork, type UnsentWork } from './account/unsentWork.ts'

/** Everything that a tab does apart from drawing. */
export interface Client extends Features {
  call: Call
  account: Account
  outbox: Store<readonly OutboxItem[]>
  unsent(): Promise<UnsentWork>
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
      session.get()?.checkExpiry()
      // The clock went back: messages that were removed as expired may still live.
      if (correctionMs < -maxDriftMs) emitter.emit('resync', undefined)
    },
  })
  const { clock, retention } = time
  const emitter = createEmitter<ClientEvents>(['alarm', 'work_lost'])
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
  const logout = createLogout({ call, clock, device: device.stored, tabs })
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
  // Browsers encrypt in workers, which load this code on their own.
  const { encrypt, decrypt } = loadLazily<Omit<FileCrypto, 'createThumbnail'>>(async () =>
    (await import('./files/localFileCrypto.ts')).createLocalFileCrypto(fetch),
  )
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
    uploadFetch: typeof window === 'undefined' ? fetch : options.fetch,
    retention,
    fileCrypto: { encrypt, decrypt, ...options.fileCrypto },
    isOwnReplacement: keyRotation.isOwnReplacement,
  }
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
      session.get()?.checkExpiry()
      live.wake()
      live.check()
      clock.check()
    },
  })
  return {
    call,
    account,
    ...createFeatures({
      call,
      origin,
      clock,
      device,
      tabs,
      passwords,
      account,
      session,
      transfers,
      deletion,
      keyRotation,
      alarm,
    }),
    outbox,
    unsent: createUnsentWork({ account, device, transfers }),
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
