import type { KeyObject } from 'node:crypto'
import { type BusEvents, type Carried, isCarried } from './bus.ts'
import type { Clock } from '../clock.ts'
import { here, type Presence } from './presence.ts'
import { createOpen, createSeal, numberIn } from './encryptedNotices.ts'

/** Send times of this process's own messages that peers acknowledge, by sequence number. */
export interface Asked {
  add(n: number): void
  has(n: number): boolean
  /** A process that acknowledged `n` was alive at or after this time. */
  at(n: number): number
}

/** Entries kept: more than are sent in the time for which anything is trusted (`linkTimes` in cluster.ts). */
const most = 64

export function createHeartbeatLog(clock: Clock): Asked {
  const asked: { n: number; at: number }[] = []
  return {
    add(n) {
      asked.push({ n, at: clock.now() })
      if (asked.length > most) asked.shift()
    },
    has: (n) => asked.some((each) => each.n === n),
    at: (n) => asked.findLast((each) => each.n <= n)?.at ?? Number.NEGATIVE_INFINITY,
  }
}

/** An event published by a process. */
export type Published = { [K in Carried]: { kind: K; event: BusEvents[K] } }[Carried]

/** The other processes, as far as their notices show. */
export interface Peers {
  /** This process, from its start to its end. */
  readonly id: string
  hear(bytes: Buffer): void
  /** Sends the events together; receivers take them in this order. */
  send(all: readonly Published[]): void
  /** Sent to the other processes at each change. */
  setOnline(userId: string, online: boolean): void
  /** Sends a heartbeat, which also comes back to this process. */
  beat(): void
  /** Asks every other process for its online users, and sends ours. */
  greet(): void
  leave(): void
  /** Skips a sequence number, so that peers detect a loss with our next notice. */
  leaveGap(): void
  /** When a notice of the process last arrived. */
  heardAt(process: string): number
  /**
   * Everything that the process had sent by this time has arrived; for this process, its own heartbeats. Computed from
   * the heartbeats that it acknowledged, not from arrival times: delaying notices cannot make them look current.
   */
  currentAt(process: string): number
  /** Treats the users of the process as offline until it sends again. */
  forget(process: string): void
  heard(): Iterable<string>
}

interface Peer {
  n: number
  at: number
  currentAt: number
  /** It has acknowledged this process: its notices are no replay of a process that ended before. */
  isProved: boolean
  /** It published an event before it was proved, which was not taken. */
  hasSkipped: boolean
  /** The part of its user list that has arrived so far. */
  users: string[]
}

/** The last sequence number received from each process. */
type HeardOf = Record<string, number>

type Told =
  | { kind: 'leaving' }
  | { kind: 'beat'; heard: HeardOf }
  | { kind: 'who'; of: string | undefined; heard: HeardOf }
  | { kind: 'users'; userIds: string[]; isFirst: boolean; isLast: boolean }
  | { kind: 'presence'; userId: string; online: boolean }

export interface PeersOptions {
  key: KeyObject
  clock: Clock
  presence: Presence
  publish(bytes: Buffer): void
  /** Takes an event that another process published. */
  take(published: Published): void
  /** A peer's notice was lost, or a peer is new and may have sent notices before. */
  missed(): void
  /** A known peer's notice was lost. */
  lost(): void
  /** A peer has announced its end. */
  left(process: string): void
}

const usersAtOnce = 500
/** Ended processes whose notices must not be replayed; the oldest are removed first. */
const mostForgotten = 1_000

/** One line each. A notice's frame is JSON already: it follows in a line of its own and is not parsed on the way. */
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

export function createPeers({ key, clock, presence, publish, take, missed, lost, left }: PeersOptions): Peers {
  const seal = createSeal(key)
  const open = createOpen(key)
  const peers = new Map<string, Peer>()
  /** The last sequence number received from each. */
  const forgotten = new Map<string, number>()
  const asked = createHeartbeatLog(clock)
  let own = { n: 0, at: Number.NEGATIVE_INFINITY }

  // Encrypted even if nothing is sent: the missing number shows receivers of the next notice that one was lost.
  const say = (text: string) => publish(seal.seal(text))
  const tell = (told: Told) => say(JSON.stringify({ kind: told.kind, event: told }))
  const heardOf = (): HeardOf => Object.fromEntries([...peers].map(([process, { n }]) => [process, n]))

  /** Sends a message that the peers acknowledge. */
  function ask(told: { kind: 'beat' } | { kind: 'who'; of: string | undefined }): void {
    asked.add(seal.last() + 1)
    tell({ ...told, heard: heardOf() })
  }

  function tellUsers(): void {
    const userIds = presence.usersOf(here)
    for (let at = 0; at === 0 || at < userIds.length; at += usersAtOnce) {
      const isLast = at + usersAtOnce >= userIds.length
      tell({ kind: 'users', userIds: userIds.slice(at, at + usersAtOnce), isFirst: at === 0, isLast })
    }
  }

  function forget(process: string): void {
    const known = peers.get(process)
    if (known !== undefined) forgotten.set(process, known.n)
    for (const first of forgotten.keys()) if (forgotten.size > mostForgotten) forgotten.delete(first)
    peers.delete(process)
    presence.replace(process, [])
  }

  function takeTold(process: string, peer: Peer, told: Told): void {
    if (told.kind === 'leaving') {
      left(process)
      return forget(process)
    }
    if (told.kind === 'who' && (told.of ?? seal.process) === seal.process) return tellUsers()
    if (told.kind === 'presence') return presence.set(process, told.userId, told.online)
    if (told.kind !== 'users') return
    peer.users = told.isFirst ? told.userIds : [...peer.users, ...told.userIds]
    if (told.isLast) presence.replace(process, peer.users)
  }

  /** Returns undefined for a number that was received before: a replayed notice. */
  function place(process: string, n: number): Peer | undefined {
    const now = clock.now()
    const known = peers.get(process)
    if (n <= (known?.n ?? forgotten.get(process) ?? 0)) return undefined
    forgotten.delete(process)
    const peer = known ?? {
      n,
      at: now,
      currentAt: Number.NEGATIVE_INFINITY,
      isProved: false,
      hasSkipped: false,
      users: [],
    }
    const isNext = known !== undefined && n === known.n + 1
    Object.assign(peer, { n, at: now })
    peers.set(process, peer)
    if (isNext || (known !== undefined && !known.isProved)) return peer
    if (known !== undefined) {
      missed()
      lost()
    }
    ask({ kind: 'who', of: process })
    return peer
  }

  /** Records the sequence number of ours that the peer had received when it sent this. */
  function takeHeard(process: string, peer: Peer, ofThis: number): void {
    peer.currentAt = Math.max(peer.currentAt, asked.at(ofThis))
    if (peer.isProved) return
    peer.isProved = true
    missed()
    if (peer.hasSkipped) lost()
    ask({ kind: 'who', of: process })
  }

  return {
    id: seal.process,
    hear(bytes) {
      const ownNumber = numberIn(seal.process, bytes)
      // Only heartbeats of this process itself are decrypted again, each once.
      if (ownNumber !== undefined && (ownNumber <= own.n || !asked.has(ownNumber))) return
      const heard = open(bytes)
      if (heard === undefined) return
      if (ownNumber !== undefined) return void (own = { n: ownNumber, at: asked.at(ownNumber) })
      const peer = place(heard.process, heard.n)
      if (peer === undefined) return
      for (const { kind, event } of fromText(heard.text)) {
        const ofThis = 'heard' in event ? (event.heard as HeardOf)[seal.process] : undefined
        if (ofThis !== undefined) takeHeard(heard.process, peer, ofThis)
        if (!peer.isProved) peer.hasSkipped ||= isCarried(kind)
        else if (isCarried(kind)) take({ kind, event } as Published)
        else takeTold(heard.process, peer, event as Told)
      }
    },
    send: (all) => say(toText(all)),
    setOnline(userId, online) {
      presence.set(here, userId, online)
      tell({ kind: 'presence', userId, online })
    },
    beat: () => ask({ kind: 'beat' }),
    greet() {
      ask({ kind: 'who', of: undefined })
      tellUsers()
    },
    leave: () => tell({ kind: 'leaving' }),
    leaveGap: seal.leaveGap,
    heardAt: (process) => peers.get(process)?.at ?? Number.NEGATIVE_INFINITY,
    currentAt: (process) =>
      process === seal.process ? own.at : (peers.get(process)?.currentAt ?? Number.NEGATIVE_INFINITY),
    forget,
    heard: () => peers.keys(),
  }
}
