import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { WebSocket } from 'ws'
import { type ClientFrame, closeCodes, type ServerFrame } from '@privity/contract/events'
import { limits } from '@privity/contract/limits'
import type { Clock, Stop } from '../clock.ts'
import { readFrame, writeFrame } from './frames.ts'
import { batchPerTick } from '../async/batches.ts'
import { type Beating, startHeartbeat } from './heartbeat.ts'
import type { Processes } from '../cluster/cluster.ts'
import type { Session } from '../sessions/sessions.ts'

export type ReceivedFrame = Extract<ClientFrame, { type: 'received' }>

export interface Sockets {
  /**
   * Sends a frame, serialized once, to every socket of these users, except the one with the id `except` or those of the
   * session with that id. A hint: delivery is not guaranteed.
   */
  notify(userIds: string | readonly string[], frame: ServerFrame, except?: string): void
  /** As `notify`, for sockets of this process only. */
  notifyHere(userIds: readonly string[], frame: ServerFrame): void
  /** Whether the user has a ready socket in this process or another one. */
  isOnline(userId: string): boolean
  /** Whether the user has a ready socket in this process. */
  isConnectedHere(userId: string): boolean
  /** Users with a socket in this process, authenticated or not. */
  connectedUsers(): string[]
  /** Sessions with an open socket in this process; repeated for several sockets. */
  openSessions(): Pick<Session, 'id' | 'userId' | 'tokenHash'>[]
  /** Calls `hear` when a user's first socket anywhere is ready, and when the last one is gone. */
  onPresence(hear: (userId: string, online: boolean) => void): void
  /** Calls `hear` with each acknowledgement from a browser. */
  onReceived(hear: (userId: string, frame: ReceivedFrame) => void): void
  /** Returns the number of open sockets in this process. */
  count(): number
  /** Serves a socket that was opened for this session. `stream` is the connection under it. */
  accept(socket: WebSocket, stream: Duplex, session: Session): void
  isRefusing(): boolean
  /** Accepts no more sockets; open ones stay. */
  refuse(): void
  /**
   * Closes every socket with 1012 (service restart) and accepts no more. Many are closed in parts, so that browsers do
   * not all reconnect at once; sockets still open go on receiving notices.
   */
  close(): Promise<void>
}

interface Dependencies {
  clock: Clock
  processes: Pick<Processes, 'bus' | 'presence' | 'setOnline'>
  log: FastifyBaseLogger
}

interface Connected extends Beating {
  /** Known to its own browser only. */
  id: string
  /** The connection under the socket. */
  stream: Duplex
  session: Session
  ready: boolean
  /** Number of frames received in the window that ends at `windowEnd`. */
  heard: number
  windowEnd: number
  stopWaiting: Stop
}

/** The standard's close code for a server that restarts. */
const serviceRestart = 1012
const times = { authenticate: 10_000, close: 2_000, spread: 2_000 }
/** Sockets closed at a time during a stop, pause (ms) between times, and maximum number of times. */
const parting = { sockets: 100, pause: 100, times: 30 }
const mostWaiting = 4 * 1024 * 1024
const mostSocketsOfUser = 32
/** Limit of frames per socket: acknowledgements of a busy browser, and the calls that it may make. */
const mostFrames = { frames: 300, window: 10_000 }
const asText = { binary: false }
/** Shared by all sockets: each would otherwise keep the function of its stopped timer for as long as it is open. */
const nothing = () => {}

/** Sends the frames of one event loop turn to a browser in one system call; up to 4 go before the turn ends. */
function createGatherer(): (stream: Duplex) => void {
  const release = batchPerTick<Duplex>((all) => all.forEach((stream) => stream.uncork()))
  return (stream) => {
    if (stream.writableCorked > 0) return
    stream.cork()
    release(stream)
  }
}

export function createSockets({ clock, processes, log }: Dependencies): Sockets {
  const { bus, presence } = processes
  const gather = createGatherer()
  const all = new Set<Connected>()
  const heartbeat = startHeartbeat(clock, all, (gone) => leave(gone))
  /** Every open socket by user, the oldest first, authenticated or not. */
  const open = new Map<string, Set<Connected>>()
  const ready = new Map<string, Set<Connected>>()
  const receivedHearers: ((userId: string, frame: ReceivedFrame) => void)[] = []
  let [refusing, closing] = [false, false]

  /** Ends the oldest sockets of a user beyond the limit. */
  function keepToMost(userId: string): void {
    const ofUser = open.get(userId) ?? new Set()
    for (const oldest of ofUser) {
      if (ofUser.size <= mostSocketsOfUser) return
      end(oldest, closeCodes.tooSlow)
    }
  }

  function enter(connected: Connected): void {
    const { userId } = connected.session
    all.add(connected)
    const ofUser = open.get(userId)
    if (ofUser === undefined) open.set(userId, new Set([connected]))
    else ofUser.add(connected)
    keepToMost(userId)
  }

  function becomeReady(connected: Connected): void {
    const { userId } = connected.session
    if (!all.has(connected)) return
    connected.ready = true
    connected.stopWaiting()
    connected.stopWaiting = nothing
    const ofUser = ready.get(userId)
    if (ofUser !== undefined) {
      ofUser.add(connected)
      return
    }
    ready.set(userId, new Set([connected]))
    processes.setOnline(userId, true)
  }

  function leave(connected: Connected): void {
    connected.stopWaiting()
    all.delete(connected)
    const { userId } = connected.session
    const opened = open.get(userId)
    if (opened?.delete(connected) === true && opened.size === 0) open.delete(userId)
    const ofUser = ready.get(userId)
    if (ofUser === undefined || !ofUser.delete(connected) || ofUser.size > 0) return
    ready.delete(userId)
    if (!closing) processes.setOnline(userId, false)
  }

  /** Closes with a handshake, then terminates: a browser that is gone never completes the handshake. */
  function end(connected: Connected, code: number, reason?: string): void {
    connected.socket.close(code, reason)
    leave(connected)
    clock.after(times.close, () => connected.socket.terminate())
  }

  function send(connected: Connected, frame: string | Buffer): void {
    const { socket, stream } = connected
    if (socket.bufferedAmount > mostWaiting) return end(connected, closeCodes.tooSlow)
    gather(stream)
    socket.send(frame, asText)
  }

  function ask(connected: Connected): void {
    if (connected.ready && all.has(connected)) send(connected, '{"type":"resync"}')
  }

  /** Counts a frame; returns false beyond the number that any browser needs. */
  function isWithinMost(connected: Connected): boolean {
    const now = clock.now()
    if (now >= connected.windowEnd) Object.assign(connected, { heard: 0, windowEnd: now + mostFrames.window })
    connected.heard += 1
    return connected.heard <= mostFrames.frames
  }

  function hear(connected: Connected, frame: ClientFrame | undefined): void {
    const { session } = connected
    if (frame === undefined) return end(connected, closeCodes.badFrame)
    if (frame.type === 'authenticate') {
      if (frame.userId !== session.userId) return end(connected, closeCodes.notAuthenticated)
      if (!connected.ready) becomeReady(connected)
      return send(connected, JSON.stringify({ type: 'authenticated', socketId: connected.id }))
    }
    if (!connected.ready) return end(connected, closeCodes.notAuthenticated)
    if (frame.type === 'ping') return send(connected, '{"type":"pong"}')
    for (const received of receivedHearers) received(session.userId, frame)
  }

  function accept(socket: WebSocket, stream: Duplex, session: Session): void {
    const counted = { heard: 0, windowEnd: 0 }
    const connected: Connected = {
      id: randomUUID(),
      socket,
      stream,
      session,
      ready: false,
      alive: true,
      part: heartbeat.nextPart(),
      ...counted,
      stopWaiting: nothing,
    }
    connected.stopWaiting = clock.after(times.authenticate, () => end(connected, closeCodes.notAuthenticated))
    socket.on('pong', () => void (connected.alive = true))
    socket.on('message', (data, isBinary) => {
      connected.alive = true
      if (socket.readyState !== WebSocket.OPEN) return
      if (isWithinMost(connected)) hear(connected, readFrame(data, isBinary))
      else end(connected, closeCodes.badFrame)
    })
    socket.on('close', () => leave(connected))
    socket.on('error', (error) => log.debug({ err: error }, 'socket'))
    enter(connected)
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
      // Selected now, before another renewal.
      for (const each of [...all].filter(isLeft)) clock.after(limits.tokenOverlap, () => end(each, serviceRestart))
    }),
    // Spread over time, because each browser reloads everything that it shows.
    bus.subscribe('healed', () => {
      for (const connected of all) clock.after(Math.random() * times.spread, () => ask(connected))
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
    onReceived: (hearer) => void receivedHearers.push(hearer),
    accept,
    isRefusing: () => refusing,
    refuse: () => void (refusing = true),
    async close() {
      refusing = true
      closing = true
      const leaving = [...all]
      const left = leaving.map(
        ({ socket }) => new Promise<void>((resolve) => void socket.once('close', () => resolve())),
      )
      const atOnce = Math.max(parting.sockets, Math.ceil(leaving.length / parting.times))
      for (let at = 0; at < leaving.length; at += atOnce) {
        // Uses real time, here and below: a browser that is gone must not delay the end of the process.
        if (at > 0) await setTimeout(parting.pause)
        for (const connected of leaving.slice(at, at + atOnce)) end(connected, serviceRestart)
      }
      for (const stop of stops) stop()
      const insist = new AbortController()
      void setTimeout(times.close, undefined, { signal: insist.signal }).then(
        () => leaving.forEach(({ socket }) => socket.terminate()),
        () => {},
      )
      await Promise.all(left)
      insist.abort()
    },
  }
}
