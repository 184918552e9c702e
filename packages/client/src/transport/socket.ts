import { type ClientFrame, closeCodes, type ServerFrame, serverFrame, socketPath } from '@privity/contract/events'
import type { ServerClock } from './serverClock.ts'
import { type Store, createStore } from './store.ts'
import { isPageVisible } from './window.ts'

export type LiveState = 'connecting' | 'connected' | 'disconnected'

export interface LiveSocket {
  state: Store<LiveState>
  open(userId: string): void
  close(): void
  send(frame: ClientFrame): void
  /** The id that the server gave the connected socket. */
  socketId(): string | undefined
  /** The reason in the server's close frame for the session that was opened last; mostly empty. */
  endReason(): string
  /**
   * Runs `run` once the close frame with the reason has arrived, or shortly after if none comes: a call may learn of
   * the end of the session before the socket does.
   */
  afterEndReason(run: () => void): void
  /** Connects at once instead of waiting: the network is back. */
  wake(): void
  /** While true the socket stays closed. */
  rest(resting: boolean): void
  /** Tells the server whether the page is visible, once connected: it pushes only to members who see none. */
  reportVisibility(): void
  /** Tests the connection with a short timeout: the network may be down, or the device has slept. */
  check(): void
}

/** Opens a WebSocket; outside browsers it adds the cookies. */
export type OpenSocket = (url: string) => WebSocket

const pingIntervalMs = 25_000
const pongTimeoutMs = 10_000
const checkTimeoutMs = 3_000
const endReasonTimeoutMs = 1_000
const minRetryDelayMs = 1_000
const maxRetryDelayMs = 30_000

/**
 * The live socket, reconnected with exponential backoff and jitter while an account is open, and watched by pings.
 * `onFrame` gets each frame; `onReady` runs after each authentication and when the server has lost notices.
 */
export function createLiveSocket(deps: {
  origin: string
  clock: Pick<ServerClock, 'after' | 'confirm'>
  openSocket: OpenSocket
  onFrame(frame: ServerFrame): void
  onReady(): void
  /**
   * Called when the socket was closed or refused, perhaps because the session has ended or a second factor is missing:
   * browsers do not reveal why a socket was refused. Resolves when the owner of the cookie is known.
   */
  onRefused(): Promise<void>
}): LiveSocket {
  const { clock } = deps
  const url = deps.origin.replace(/^http/, 'ws') + socketPath
  const state = createStore<LiveState>('disconnected')
  let user: string | undefined
  let socket: WebSocket | undefined
  let socketId: string | undefined
  let retryDelayMs = minRetryDelayMs
  let isResting = false
  /** As the server knows it of this socket. */
  let isVisible = false
  let isChecking = false
  let endReason = ''
  let stopTimer = () => {}
  let endReasonWaiters: (() => void)[] = []

  const schedule = (ms: number, run: () => void) => {
    stopTimer()
    stopTimer = clock.after(ms, run)
  }
  const write = (frame: ClientFrame) => socket?.send(JSON.stringify(frame))

  function reset(): void {
    socket = socketId = undefined
    isChecking = isVisible = false
    stopTimer()
    state.set('disconnected')
  }

  function reconnect(): void {
    reset()
    retry()
  }

  function retry(): void {
    if (user === undefined || socket || isResting) return
    // Full jitter: thousands of clients that lost their server at the same moment must not return at the same moment.
    schedule(retryDelayMs * Math.random(), connect)
    retryDelayMs = Math.min(retryDelayMs * 2, maxRetryDelayMs)
  }

  function closeSocket(): void {
    const old = socket
    reconnect()
    old?.close()
  }

  /** Pings a silent socket; one that stays silent is closed. */
  function schedulePing(): void {
    isChecking = false
    schedule(pingIntervalMs, () => ping(pongTimeoutMs))
  }

  function ping(timeoutMs: number): void {
    write({ type: 'ping' })
    schedule(timeoutMs, closeSocket)
  }

  function reportVisibility(): void {
    if (state.get() !== 'connected' || isPageVisible() === isVisible) return
    isVisible = isPageVisible()
    write({ type: 'visibility', isVisible })
  }

  function handleData(data: unknown): void {
    schedulePing()
    let json: unknown
    try {
      json = JSON.parse(String(data))
    } catch {
      return
    }
    const frame = serverFrame.safeParse(json)
    // An unknown frame of a newer server is ignored: the next resync covers it.
    if (!frame.success) return
    if (frame.data.type === 'authenticated') {
      retryDelayMs = minRetryDelayMs
      socketId = frame.data.socketId
      state.set('connected')
      reportVisibility()
      deps.onReady()
    } else if (frame.data.type === 'resync') deps.onReady()
    else if (frame.data.type === 'pong') void clock.confirm(frame.data.now)
    else deps.onFrame(frame.data)
  }

  function connect(): void {
    if (user === undefined || socket || isResting) return
    state.set('connecting')
    const opening = deps.openSocket(url)
    const userId = user
    socket = opening
    schedule(pongTimeoutMs, closeSocket)
    opening.addEventListener('open', () =>
      opening.send(JSON.stringify({ type: 'authenticate', userId } satisfies ClientFrame)),
    )
    opening.addEventListener('message', ({ data }: MessageEvent) => socket === opening && handleData(data))
    opening.addEventListener('close', ({ code, reason }: CloseEvent) => {
      if (socket !== opening) return
      const wasConnected = state.get() === 'connected'
      endReason ||= reason
      const isEnded =
        code === closeCodes.sessionEnded || code === closeCodes.notAuthenticated || code === closeCodes.factorMissing
      if (isEnded) reset()
      else reconnect()
      for (const run of endReasonWaiters.splice(0)) run()
      if (isEnded) checkSessionFirst()
      else if (!wasConnected) void deps.onRefused()
    })
  }

  /** A new socket with the same cookie would be refused, so connecting waits for `onRefused`, but not for ever. */
  function checkSessionFirst(): void {
    if (user !== undefined && !socket && !isResting) schedule(pongTimeoutMs, connect)
    void deps.onRefused().then(retry)
  }

  function wake(): void {
    if (user === undefined || isResting) return
    // Also during an attempt: it may fail because it began before the network was back, and the next must follow soon.
    retryDelayMs = minRetryDelayMs
    if (socket) return
    stopTimer()
    connect()
  }

  return {
    state,
    open(userId) {
      user = userId
      endReason = ''
      connect()
    },
    close() {
      user = undefined
      closeSocket()
    },
    send(frame) {
      if (state.get() === 'connected') write(frame)
    },
    socketId: () => socketId,
    endReason: () => endReason,
    afterEndReason(run) {
      if (state.get() !== 'connected' || endReason !== '') return run()
      const stop = clock.after(endReasonTimeoutMs, runOnce)
      endReasonWaiters.push(runOnce)
      function runOnce(): void {
        stop()
        endReasonWaiters = endReasonWaiters.filter((each) => each !== runOnce)
        run()
      }
    },
    wake,
    reportVisibility,
    rest(resting) {
      if (resting === isResting) return
      isResting = resting
      if (resting) closeSocket()
      else wake()
    },
    check() {
      // A second check does not extend the first ping's timeout.
      if (state.get() !== 'connected' || isChecking) return
      isChecking = true
      ping(checkTimeoutMs)
    },
  }
}
