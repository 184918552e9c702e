import type { KeyObject } from 'node:crypto'
import { type BusEvents, type Carried, isCarried } from './bus.ts'
import type { Clock } from '../clock.ts'
import { here, type Presence } from './presence.ts'
import { createAsked } from './heartbeatLog.ts'
import { createOpen, createSeal, numberIn } from './encryptedNotices.ts'

/** What a process has published. */
export type Published = { [K in Carried]: { kind: K; event: BusEvents[K] } }[Carried]

/** The other processes, as they are heard of. */
export interface Peers {
  /** This process, from its start to its end. */
  readonly id: string
  hear(bytes: Buffer): void
  /** Together, and taken in this order. */
  send(all: readonly Published[]): void
  /** Told to the others at each change. */
  setOnline(userId: string, online: boolean): void
  /** A sign of life, which also comes back to this process. */
  beat(): void
  /** Asks the others who is with them, and says who is here. */
  greet(): void
  leave(): void
  /** Makes the others know that they have missed something, as soon as they hear this process again. */
  leaveGap(): void
  /** When anything of a process last arrived. */
  heardAt(process: string): number
  /**
   * All that a process had said by then was heard, this one by its own beats. By what it has heard itself, not by when
   * it arrived: whoever holds its notices back cannot make them look new.
   */
  currentAt(process: string): number
  /** Its users are offline, unless it is heard again. */
  forget(process: string): void
  heard(): Iterable<string>
}

interface Peer {
  n: number
  at: number
  currentAt: number
  /** It has heard this process: what it says is not the record of one that ended before. */
  isProved: boolean
  /** It published something before it was proved. */
  hasSkipped: boolean
  /** Of the list that it is telling. */
  users: string[]
}

/** The last number that it has heard of each. */
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
  /** What another process has published. */
  take(published: Published): void
  /** Something of a peer's was not heard, or a peer is new, who may have been one before. */
  missed(): void
  /** Something of a known peer's was not heard. */
  lost(): void
  /** A peer has ended in good order. */
  left(process: string): void
}

const usersAtOnce = 500
/** Processes that were forgotten, whose notices must not be played again; the first to be are let go first. */
const mostForgotten = 1_000

/** A line each. A notice's frame is JSON already: it follows in a line of its own, and is not parsed on the way. */
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
  /** The last number that was heard of each. */
  const forgotten = new Map<string, number>()
  const asked = createAsked(clock)
  let own = { n: 0, at: Number.NEGATIVE_INFINITY }

  // Sealed even where nothing goes out: its number is missing then, and whoever hears the next one knows it.
  const say = (text: string) => publish(seal.seal(text))
  const tell = (told: Told) => say(JSON.stringify({ kind: told.kind, event: told }))
  const heardOf = (): HeardOf => Object.fromEntries([...peers].map(([process, { n }]) => [process, n]))

  /** What the others answer by having heard it. */
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

  /** Answers undefined for what was heard before: a notice that somebody kept and plays again. */
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

  /** It says itself what it had heard of this process when it said this. */
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
      // Of its own only what it has asked is opened, once.
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
