import { type ClientFrame, closeCodes, type ServerFrame, serverFrame, socketPath } from '@privity/contract/events'
import type { Clock } from './clock.ts'
import { type Store, createStore } from './store.ts'

export type LiveState = 'connecting' | 'connected' | 'disconnected'

export interface Live {
  state: Store<LiveState>
  open(userId: string): void
  close(): void
  send(frame: ClientFrame): void
  /** As the server calls the socket that is connected. */
  socketId(): string | undefined
  /** What the server said when it closed a socket of the session that was opened last; mostly nothing. */
  endReason(): string
  /**
   * For a call that was told that the session is over: runs once the socket has said why, which may be a moment
   * later, or when it does not.
   */
  afterEndReason(run: () => void): void
  /** Tries at once instead of waiting: the network is back. */
  wake(): void
  /** While true there is no socket, and none is tried. */
  rest(resting: boolean): void
  /** Finds out soon whether the socket still lives: the network may be gone, or the device has slept. */
  check(): void
}

/** The part of a WebSocket that is used; `openSocket` may add cookies outside a browser. */
export type OpenSocket = (url: string) => WebSocket

const beat = 25_000
const patience = 10_000
const shortPatience = 3_000
const reasonPatience = 1_000
const firstPause = 1_000
const longestPause = 30_000

/**
 * The socket, reopened for as long as someone is signed in: with exponential pauses and jitter, watched
 * by pings. `hear` gets each frame, `ready` is called after each authentication, and when the server has lost notices.
 */
export function createLive(deps: {
  origin: string
  clock: Clock
  openSocket: OpenSocket
  hear(frame: ServerFrame): void
  ready(): void
  /**
   * The server has closed or refused the socket for what may be an ended session, or a second factor that is missing;
   * browsers do not tell more, but for an `endReason` that the server may have given. Resolves when it is known whose
   * the cookie is now.
   */
  refused(): Promise<void>
}): Live {
  const { clock } = deps
  const url = deps.origin.replace(/^http/, 'ws') + socketPath
  const state = createStore<LiveState>('disconnected')
  let user: string | undefined
  let socket: WebSocket | undefined
  let socketId: string | undefined
  let pause = firstPause
  let isResting = false
  let isChecking = false
  let endReason = ''
  let stopTimer = () => {}
  let waiting: (() => void)[] = []

  const later = (ms: number, run: () => void) => {
    stopTimer()
    stopTimer = clock.after(ms, run)
  }
  const write = (frame: ClientFrame) => socket?.send(JSON.stringify(frame))

  function forget(): void {
    socket = socketId = undefined
    isChecking = false
    stopTimer()
    state.set('disconnected')
  }

  function lost(): void {
    forget()
    retry()
  }

  function retry(): void {
    if (user === undefined || socket || isResting) return
    // Anywhere in the pause: thousands that lost their server at the same moment must not come back at the same moment.
    later(pause * Math.random(), connect)
    pause = Math.min(pause * 2, longestPause)
  }

  function drop(): void {
    const old = socket
    lost()
    old?.close()
  }

  /** After quiet, a ping; after more quiet, the socket counts as dead. */
  function watch(): void {
    isChecking = false
    later(beat, () => ping(patience))
  }

  function ping(within: number): void {
    write({ type: 'ping' })
    later(within, drop)
  }

  function hear(data: unknown): void {
    watch()
    let json: unknown
    try {
      json = JSON.parse(String(data))
    } catch {
      return
    }
    const frame = serverFrame.safeParse(json)
    // A frame of a newer server is left alone: the next resync brings what it was about.
    if (!frame.success) return
    if (frame.data.type === 'authenticated') {
      pause = firstPause
      socketId = frame.data.socketId
      state.set('connected')
      deps.ready()
    } else if (frame.data.type === 'resync') deps.ready()
    else if (frame.data.type !== 'pong') deps.hear(frame.data)
  }

  function connect(): void {
    if (user === undefined || socket || isResting) return
    state.set('connecting')
    const opened = deps.openSocket(url)
    const userId = user
    socket = opened
    later(patience, drop)
    opened.addEventListener('open', () =>
      opened.send(JSON.stringify({ type: 'authenticate', userId } satisfies ClientFrame)),
    )
    opened.addEventListener('message', ({ data }: MessageEvent) => socket === opened && hear(data))
    opened.addEventListener('close', ({ code, reason }: CloseEvent) => {
      if (socket !== opened) return
      const wasConnected = state.get() === 'connected'
      endReason ||= reason
      const isEnded =
        code === closeCodes.sessionEnded || code === closeCodes.notAuthenticated || code === closeCodes.factorMissing
      if (isEnded) forget()
      else lost()
      for (const run of waiting.splice(0)) run()
      if (isEnded) askFirst()
      else if (!wasConnected) void deps.refused()
    })
  }

  /** Another socket with the same cookie would be refused: none is tried before the answer, or until it takes too long. */
  function askFirst(): void {
    if (user !== undefined && !socket && !isResting) later(patience, connect)
    void deps.refused().then(retry)
  }

  function wake(): void {
    if (user === undefined || socket || isResting) return
    pause = firstPause
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
      drop()
    },
    send(frame) {
      if (state.get() === 'connected') write(frame)
    },
    socketId: () => socketId,
    endReason: () => endReason,
    afterEndReason(run) {
      if (state.get() !== 'connected' || endReason !== '') return run()
      const stop = clock.after(reasonPatience, runOnce)
      waiting.push(runOnce)
      function runOnce(): void {
        stop()
        waiting = waiting.filter((each) => each !== runOnce)
        run()
      }
    },
    wake,
    rest(resting) {
      if (resting === isResting) return
      isResting = resting
      if (resting) drop()
      else wake()
    },
    check() {
      // A second check does not give the first ping more time.
      if (state.get() !== 'connected' || isChecking) return
      isChecking = true
      ping(shortPatience)
    },
  }
}
