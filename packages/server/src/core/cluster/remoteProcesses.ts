import type { KeyObject } from 'node:crypto'
import { type BusEvents, type SharedEvent, isSharedEvent } from './bus.ts'
import type { Clock } from '../clock.ts'
import { here, type Presence } from './presence.ts'
import { createNoticeDecryption, createNoticeEncryption, readSequenceNumber } from './encryptedNotices.ts'

/** Send times of our heartbeats, by sequence number. */
export interface HeartbeatLog {
  add(n: number): void
  has(n: number): boolean
  /** A process that acknowledged `n` was alive at or after this time. */
  at(n: number): number
}

/** More heartbeats than are sent within `linkTimes.suspect` (cluster.ts). */
const maxLogEntries = 64

export function createHeartbeatLog(clock: Clock): HeartbeatLog {
  const sent: { n: number; at: number }[] = []
  return {
    add(n) {
      sent.push({ n, at: clock.now() })
      if (sent.length > maxLogEntries) sent.shift()
    },
    has: (n) => sent.some((each) => each.n === n),
    at: (n) => sent.findLast((each) => each.n <= n)?.at ?? Number.NEGATIVE_INFINITY,
  }
}

/** An event that a process published for the others. */
export type Published = { [K in SharedEvent]: { kind: K; event: BusEvents[K] } }[SharedEvent]

/** The other processes, as far as their notices show. */
export interface RemoteProcesses {
  /** The id of this process, new at each start. */
  readonly id: string
  receive(bytes: Buffer): void
  /** Sends events in one notice; receivers deliver them in this order. */
  send(all: readonly Published[]): void
  /** Records that a user of this process came online or went offline, and sends it to the other processes. */
  setOnline(userId: string, online: boolean): void
  /** Sends a heartbeat. It also comes back to this process, which proves that the link works. */
  beat(): void
  /** Requests the online users of every other process, and sends ours. */
  announce(): void
  leave(): void
  /** Skips a sequence number, so that the other processes detect a loss with our next notice. */
  leaveGap(): void
  /** When a notice of the process last arrived. */
  receivedAt(process: string): number
  /**
   * Returns a time up to which everything that the process sent has arrived: when we sent the newest heartbeat that it
   * acknowledged, not when a notice arrived, so delayed notices do not look current. For this process: when the newest
   * of our own heartbeats that came back was sent.
   */
  currentAt(process: string): number
  /** Treats the users of the process as offline until it sends again. */
  remove(process: string): void
  connectedIds(): Iterable<string>
}

interface RemoteProcess {
  /** The sequence number of its newest notice. */
  n: number
  /** When that arrived. */
  at: number
  /** See `RemoteProcesses.currentAt`. */
  currentAt: number
  /** Whether it has acknowledged a heartbeat of ours, so its notices are no replay from an ended process. */
  isVerified: boolean
  /** Whether events were ignored because it was not verified yet. */
  hasSkipped: boolean
  /** The part of its list of online users that has arrived so far. */
  users: string[]
}

/** The last sequence number received from each process. */
type Acknowledgements = Record<string, number>

type ControlMessage =
  | { kind: 'leaving' }
  | { kind: 'beat'; heard: Acknowledgements }
  | { kind: 'who'; of: string | undefined; heard: Acknowledgements }
  | { kind: 'users'; userIds: string[]; isFirst: boolean; isLast: boolean }
  | { kind: 'presence'; userId: string; online: boolean }

export interface RemoteProcessesOptions {
  key: KeyObject
  clock: Clock
  presence: Presence
  publish(bytes: Buffer): void
  /** Called with each event of another process. */
  deliver(published: Published): void
  /** Called if events may have been lost: after a gap, and for each new process, which may have sent some before. */
  onEventsLost(): void
  /** Called too if browsers may have missed one of them: after a gap, or if events of a new process were ignored. */
  onNoticeLost(): void
  /** Called when a process announces its end. */
  onLeave(process: string): void
}

const usersPerMessage = 500
/** Ended processes whose sequence numbers are kept to detect a replay; the oldest are dropped first. */
const maxRemoved = 1_000

/** Serializes each event as a line of JSON. The frame of a notice is JSON already and follows on its own line. */
function toText(all: readonly Published[]): string {
  const lines = all.flatMap((published) => {
    if (published.kind !== 'notice') return [JSON.stringify(published)]
    const { frame, ...event } = published.event
    return [JSON.stringify({ kind: 'notice', event }), frame]
  })
  return lines.join('\n')
}

function* fromText(text: string): Generator<{ kind: string; event: object }> {
  const lines = text.split('\n').values()
  for (const line of lines) {
    const { kind, event } = JSON.parse(line) as { kind: string; event: object }
    yield { kind, event: kind === 'notice' ? { ...event, frame: lines.next().value } : event }
  }
}

export function createRemoteProcesses({
  key,
  clock,
  presence,
  publish,
  deliver,
  onEventsLost,
  onNoticeLost,
  onLeave,
}: RemoteProcessesOptions): RemoteProcesses {
  const encryption = createNoticeEncryption(key)
  const decrypt = createNoticeDecryption(key)
  const remotes = new Map<string, RemoteProcess>()
  /** Removed processes, each with the sequence number of its newest notice, to recognize a replay. */
  const removed = new Map<string, number>()
  const heartbeats = createHeartbeatLog(clock)
  let own = { n: 0, at: Number.NEGATIVE_INFINITY }

  // Uses a sequence number even while the link is down: the gap shows receivers of the next notice that one was lost.
  const sendText = (text: string) => publish(encryption.encrypt(text))
  const sendControl = (message: ControlMessage) => sendText(JSON.stringify({ kind: message.kind, event: message }))
  const acknowledgements = (): Acknowledgements =>
    Object.fromEntries([...remotes].map(([process, { n }]) => [process, n]))

  /** Sends a message whose sequence number the other processes acknowledge. */
  function sendAcknowledged(message: { kind: 'beat' } | { kind: 'who'; of: string | undefined }): void {
    heartbeats.add(encryption.last() + 1)
    sendControl({ ...message, heard: acknowledgements() })
  }

  function sendUsers(): void {
    const userIds = presence.usersOf(here)
    for (let index = 0; index === 0 || index < userIds.length; index += usersPerMessage) {
      const isLast = index + usersPerMessage >= userIds.length
      sendControl({
        kind: 'users',
        userIds: userIds.slice(index, index + usersPerMessage),
        isFirst: index === 0,
        isLast,
      })
    }
  }

  function remove(process: string): void {
    const known = remotes.get(process)
    if (known !== undefined) removed.set(process, known.n)
    for (const first of removed.keys()) if (removed.size > maxRemoved) removed.delete(first)
    remotes.delete(process)
    presence.replace(process, [])
  }

  function applyControl(process: string, remote: RemoteProcess, message: ControlMessage): void {
    if (message.kind === 'leaving') {
      onLeave(process)
      return remove(process)
    }
    if (message.kind === 'who' && (message.of ?? encryption.process) === encryption.process) return sendUsers()
    if (message.kind === 'presence') return presence.set(process, message.userId, message.online)
    if (message.kind !== 'users') return
    remote.users = message.isFirst ? message.userIds : [...remote.users, ...message.userIds]
    if (message.isLast) presence.replace(process, remote.users)
  }

  /** Records a notice's sequence number; undefined for a replay. After a gap, or if new, requests the user list. */
  function recordSequence(process: string, n: number): RemoteProcess | undefined {
    const now = clock.now()
    const known = remotes.get(process)
    if (n <= (known?.n ?? removed.get(process) ?? 0)) return undefined
    removed.delete(process)
    const remote = known ?? {
      n,
      at: now,
      currentAt: Number.NEGATIVE_INFINITY,
      isVerified: false,
      hasSkipped: false,
      users: [],
    }
    const isNext = known !== undefined && n === known.n + 1
    Object.assign(remote, { n, at: now })
    remotes.set(process, remote)
    if (isNext || (known !== undefined && !known.isVerified)) return remote
    if (known !== undefined) {
      onEventsLost()
      onNoticeLost()
    }
    sendAcknowledged({ kind: 'who', of: process })
    return remote
  }

  /** Records the newest sequence number of ours that the process had received when it sent this. */
  function recordAcknowledgement(process: string, remote: RemoteProcess, acknowledged: number): void {
    remote.currentAt = Math.max(remote.currentAt, heartbeats.at(acknowledged))
    if (remote.isVerified) return
    remote.isVerified = true
    onEventsLost()
    if (remote.hasSkipped) onNoticeLost()
    sendAcknowledged({ kind: 'who', of: process })
  }

  return {
    id: encryption.process,
    receive(bytes) {
      const ownNumber = readSequenceNumber(encryption.process, bytes)
      // Our own notices come back too: only heartbeats among them are decrypted, each once.
      if (ownNumber !== undefined && (ownNumber <= own.n || !heartbeats.has(ownNumber))) return
      const notice = decrypt(bytes)
      if (notice === undefined) return
      if (ownNumber !== undefined) return void (own = { n: ownNumber, at: heartbeats.at(ownNumber) })
      const remote = recordSequence(notice.process, notice.n)
      if (remote === undefined) return
      for (const { kind, event } of fromText(notice.text)) {
        const acknowledged = 'heard' in event ? (event.heard as Acknowledgements)[encryption.process] : undefined
        if (acknowledged !== undefined) recordAcknowledgement(notice.process, remote, acknowledged)
        if (!remote.isVerified) remote.hasSkipped ||= isSharedEvent(kind)
        else if (isSharedEvent(kind)) deliver({ kind, event } as Published)
        else applyControl(notice.process, remote, event as ControlMessage)
      }
    },
    send: (all) => sendText(toText(all)),
    setOnline(userId, online) {
      presence.set(here, userId, online)
      sendControl({ kind: 'presence', userId, online })
    },
    beat: () => sendAcknowledged({ kind: 'beat' }),
    announce() {
      sendAcknowledged({ kind: 'who', of: undefined })
      sendUsers()
    },
    leave: () => sendControl({ kind: 'leaving' }),
    leaveGap: encryption.leaveGap,
    receivedAt: (process) => remotes.get(process)?.at ?? Number.NEGATIVE_INFINITY,
    currentAt: (process) =>
      process === encryption.process ? own.at : (remotes.get(process)?.currentAt ?? Number.NEGATIVE_INFINITY),
    remove,
    connectedIds: () => remotes.keys(),
  }
}
