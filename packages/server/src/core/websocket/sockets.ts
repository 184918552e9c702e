import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { WebSocket } from 'ws'
import { type ClientFrame, closeCodes } from '@privity/contract/events'
import { limits } from '@privity/contract/limits'
import type { Clock, Stop } from '../clock.ts'
import { readFrame, writeFrame } from './frames.ts'
import { batchPerTick } from '../async/batches.ts'
import { type Pinged, startHeartbeat } from './heartbeat.ts'
import type { Processes } from '../cluster/cluster.ts'
import type { Session } from '../sessions/sessions.ts'
import type { ReceivedFrame, Sockets } from './types.ts'

interface Dependencies {
  clock: Clock
  processes: Pick<Processes, 'bus' | 'presence' | 'setOnline'>
  log: FastifyBaseLogger
}

interface Connected extends Pinged {
  /** Known to its own browser only. */
  id: string
  /** The connection under the socket. */
  stream: Duplex
  session: Session
  ready: boolean
  /** Whether the page is visible, as it said last. */
  isVisible: boolean
  /** When its last frame arrived. */
  heardAt: number
  /** Number of frames received in the window that ends at `windowEnd`. */
  frames: number
  windowEnd: number
  stopWaiting: Stop
}

/** The standard's close code for a server that restarts. */
const serviceRestart = 1012
const timeoutsMs = { authenticate: 10_000, close: 2_000 }
/** Time (ms) over which sockets are asked to load everything again. */
const resyncSpreadMs = 2_000
/** Sockets closed at a time during a stop, pause between the batches, and maximum number of batches. */
const closing = { batchSize: 100, pauseMs: 100, maxBatches: 30 }
const maxBufferedBytes = 4 * 1024 * 1024
const maxSocketsPerUser = 32
/** Limit of frames per socket: acknowledgements of a busy browser, and the calls that it may make. */
const maxFrames = { frames: 300, windowMs: 10_000 }
const asText = { binary: false }
/** Shared by all sockets: each would otherwise keep the function of its stopped timer for as long as it is open. */
const noop = () => {}

/** Corks a stream until the turn's end, so that its frames leave in one system call; see `batchPerTick` for when. */
function createFlusher(): (stream: Duplex) => void {
  const release = batchPerTick<Duplex>((all) => all.forEach((stream) => stream.uncork()))
  return (stream) => {
    if (stream.writableCorked > 0) return
    stream.cork()
    release(stream)
  }
}

export function createSockets({ clock, processes, log }: Dependencies): Sockets {
  const { bus, presence } = processes
  const flushAtTurnEnd = createFlusher()
  const all = new Set<Connected>()
  const heartbeat = startHeartbeat(clock, all, (gone) => unregister(gone))
  /** Every open socket by user, the oldest first, authenticated or not. */
  const open = new Map<string, Set<Connected>>()
  const ready = new Map<string, Set<Connected>>()
  const receivedListeners: ((userId: string, frame: ReceivedFrame) => void)[] = []
  const visibleListeners: ((userId: string) => void)[] = []
  let [isRefusing, isClosing] = [false, false]

  /** Ends the oldest sockets of a user beyond the limit. */
  function closeExcessSockets(userId: string): void {
    const ofUser = open.get(userId) ?? new Set()
    for (const oldest of ofUser) {
      if (ofUser.size <= maxSocketsPerUser) return
      end(oldest, closeCodes.tooSlow)
    }
  }

  function register(connected: Connected): void {
    const { userId } = connected.session
    all.add(connected)
    const ofUser = open.get(userId)
    if (ofUser === undefined) open.set(userId, new Set([connected]))
    else ofUser.add(connected)
    closeExcessSockets(userId)
  }

  function becomeReady(connected: Connected): void {
    const { userId } = connected.session
    if (!all.has(connected)) return
    connected.ready = true
    connected.stopWaiting()
    connected.stopWaiting = noop
    const ofUser = ready.get(userId)
    if (ofUser !== undefined) {
      ofUser.add(connected)
      return
    }
    ready.set(userId, new Set([connected]))
    processes.setOnline(userId, true)
  }

  function unregister(connected: Connected): void {
    connected.stopWaiting()
    all.delete(connected)
    const { userId } = connected.session
    const opened = open.get(userId)
    if (opened?.delete(connected) === true && opened.size === 0) open.delete(userId)
    const ofUser = ready.get(userId)
    if (ofUser === undefined || !ofUser.delete(connected) || ofUser.size > 0) return
    ready.delete(userId)
    if (!isClosing) processes.setOnline(userId, false)
  }

  /** Closes with a handshake, then terminates: a browser that is gone never completes the handshake. */
  function end(connected: Connected, code: number, reason?: string): void {
    connected.socket.close(code, reason)
    unregister(connected)
    clock.after(timeoutsMs.close, () => connected.socket.terminate())
  }

  function send(connected: Connected, frame: string | Buffer): void {
    const { socket, stream } = connected
    if (socket.bufferedAmount > maxBufferedBytes) return end(connected, closeCodes.tooSlow)
    flushAtTurnEnd(stream)
    socket.send(frame, asText)
  }

  function requestResync(connected: Connected): void {
    if (connected.ready && all.has(connected)) send(connected, '{"type":"resync"}')
  }

  /** Counts a frame; returns false beyond the number that any browser needs. */
  function isWithinFrameLimit(connected: Connected): boolean {
    const now = clock.now()
    if (now >= connected.windowEnd) Object.assign(connected, { frames: 0, windowEnd: now + maxFrames.windowMs })
    connected.frames += 1
    return connected.frames <= maxFrames.frames
  }

  function handleFrame(connected: Connected, frame: ClientFrame | undefined): void {
    const { session } = connected
    if (frame === undefined) return end(connected, closeCodes.badFrame)
    if (frame.type === 'authenticate') {
      if (frame.userId !== session.userId) return end(connected, closeCodes.notAuthenticated)
      if (!connected.ready) becomeReady(connected)
      return send(connected, JSON.stringify({ type: 'authenticated', socketId: connected.id }))
    }
    if (!connected.ready) return end(connected, closeCodes.notAuthenticated)
    if (frame.type === 'ping') return send(connected, JSON.stringify({ type: 'pong', now: clock.now() }))
    if (frame.type === 'visibility') return setVisible(connected, frame.isVisible)
    for (const listener of receivedListeners) listener(session.userId, frame)
  }

  function setVisible(connected: Connected, isVisible: boolean): void {
    connected.isVisible = isVisible
    if (isVisible) for (const listener of visibleListeners) listener(connected.session.userId)
  }

  function accept(socket: WebSocket, stream: Duplex, session: Session): void {
    const counted = { frames: 0, windowEnd: 0 }
    const connected: Connected = {
      id: randomUUID(),
      socket,
      stream,
      session,
      ready: false,
      isVisible: false,
      heardAt: clock.now(),
      alive: true,
      part: heartbeat.nextPart(),
      ...counted,
      stopWaiting: noop,
    }
    connected.stopWaiting = clock.after(timeoutsMs.authenticate, () => end(connected, closeCodes.notAuthenticated))
    socket.on('pong', () => void (connected.alive = true))
    socket.on('message', (data, isBinary) => {
      connected.alive = true
      connected.heardAt = clock.now()
      if (socket.readyState !== WebSocket.OPEN) return
      if (isWithinFrameLimit(connected)) handleFrame(connected, readFrame(data, isBinary))
      else end(connected, closeCodes.badFrame)
    })
    socket.on('close', () => unregister(connected))
    socket.on('error', (error) => log.debug({ err: error }, 'socket'))
    register(connected)
  }

  const stops = [
    bus.subscribe('notice', ({ userIds, frame, except }) => {
      const bytes = Buffer.from(frame)
      for (const userId of userIds) {
        const ofUser = ready.get(userId)
        if (ofUser === undefined) continue
        for (const connected of ofUser)
          if (connected.id !== except && connected.session.id !== except) send(connected, bytes)
      }
    }),
    bus.subscribe('sessionEnded', ({ sessionIds, reason }) => {
      for (const connected of all) {
        if (sessionIds.includes(connected.session.id)) end(connected, closeCodes.sessionEnded, reason)
      }
    }),
    bus.subscribe('sessionRenewed', ({ sessionId, tokenHash }) => {
      const isLeft = ({ session }: Connected) => session.id === sessionId && session.tokenHash !== tokenHash
      // Selected now: after the delay, sockets opened with a still newer token would differ from `tokenHash` too.
      for (const each of [...all].filter(isLeft)) clock.after(limits.tokenOverlap, () => end(each, serviceRestart))
    }),
    // Spread over time, because each browser reloads everything that it shows.
    bus.subscribe('eventsRestored', () => {
      for (const connected of all) clock.after(Math.random() * resyncSpreadMs, () => requestResync(connected))
    }),
    bus.subscribe('factorMissing', ({ userId }) =>
      open.get(userId)?.forEach((each) => end(each, closeCodes.factorMissing)),
    ),
    heartbeat.stop,
  ]

  return {
    notify(userIds, frame, except) {
      bus.publish('notice', {
        userIds: typeof userIds === 'string' ? [userIds] : userIds,
        frame: writeFrame(frame),
        except,
      })
    },
    notifyHere: (userIds, frame) => bus.publishHere('notice', { userIds, frame: writeFrame(frame) }),
    isOnline: presence.isOnline,
    isConnectedHere: (userId) => ready.has(userId),
    count: () => all.size,
    connectedUsers: () => [...open.keys()],
    openSessions: () => [...all].map(({ session }) => session),
    onPresence: presence.onChange,
    onVisible: (listener) => void visibleListeners.push(listener),
    isWatching: (userId, since) =>
      [...(ready.get(userId) ?? [])].some(({ isVisible, heardAt }) => isVisible && heardAt >= since),
    onReceived: (listener) => void receivedListeners.push(listener),
    accept,
    isRefusing: () => isRefusing,
    refuse: () => void (isRefusing = true),
    async close() {
      isRefusing = true
      isClosing = true
      const leaving = [...all]
      const left = leaving.map(
        ({ socket }) => new Promise<void>((resolve) => void socket.once('close', () => resolve())),
      )
      const batchSize = Math.max(closing.batchSize, Math.ceil(leaving.length / closing.maxBatches))
      for (let i = 0; i < leaving.length; i += batchSize) {
        // Uses real time, here and below: a browser that is gone must not delay the end of the process.
        if (i > 0) await setTimeout(closing.pauseMs)
        for (const connected of leaving.slice(i, i + batchSize)) end(connected, serviceRestart)
      }
      for (const stop of stops) stop()
      const insist = new AbortController()
      void setTimeout(timeoutsMs.close, undefined, { signal: insist.signal }).then(
        () => leaving.forEach(({ socket }) => socket.terminate()),
        () => {},
      )
      await Promise.all(left)
      insist.abort()
    },
  }
}
