import { limits } from '@privity/contract/limits'
import { type AccountKey, openPrivate, sealPrivate } from '@privity/e2ee'
import type { Device } from '../device/device.ts'
import { shownMessagesName } from '../device/storageNames.ts'
import type { Tabs } from '../device/tabs.ts'
import { shownMessagesBinding } from '../keys/aad.ts'
import type { Clock } from '../transport/clock.ts'
import type { DecryptedMessage } from '../types.ts'

/** An own message that this browser has sent and the server has stored, as later ones name it. */
export interface SentLink {
  link: string
  /** The signed time. After a clock that was ahead: a time later than those of all own messages before. */
  sentAt: number
  /** When the server stored it, by its word: no earlier than it was signed, and no later than the answer came. */
  storedAt: number
  /** The own clock minus the device's clock at that time (ms); negative if the own clock was behind. */
  correction: number
  lifetime: number
  /** When its lifetime ends, or the keys that open it are destroyed, if that is earlier. */
  expiresAt: number
}

/** A message by its place: people choose the ids of their messages, and can choose one that is taken elsewhere. */
export type MessagePlace = Pick<DecryptedMessage, 'connectionId' | 'mine' | 'id'>

/**
 * The messages that this browser has shown, so that none is shown again once it has expired, and the last ones that it
 * has sent in each conversation, so that a page that is loaded anew goes on from them. Kept after sign-out, encrypted
 * under the account key.
 */
export interface BrowserMemory {
  /** Returns the earliest expiry under which any tab of this browser has shown the message, or its deletion. */
  expiryOf(place: MessagePlace): Promise<number | undefined>
  recordShown(place: MessagePlace, expiresAt: number): void
  /** Oldest first: the newest, and those before it of a longer lifetime than all later ones, or a later expiry. */
  lastSent(connectionId: string): readonly SentLink[]
  /** Reads what the browser's other tabs have sent since. */
  refresh(): Promise<void>
  recordSent(connectionId: string, sent: SentLink): void
  /** Resolves when nothing more is written to the device. */
  stop(): Promise<void>
}

interface Stored {
  shown: [key: string, expiresAt: number][]
  sent: [connectionId: string, sent: readonly SentLink[]][]
}

const keyOf = ({ connectionId, mine, id }: MessagePlace) => `${connectionId} ${Number(mine)} ${id}`

/** The newest stay. Nobody reads more messages in three days. */
const maxShown = 5_000

/** A message whose signed time is older is refused without its id. */
const keptAfterExpiry = limits.retention + 60 * 60 * 1000

export async function openBrowserMemory(deps: {
  userId: string
  accountKey: AccountKey
  device: Device
  tabs: Pick<Tabs, 'runExclusive'>
  clock: Clock
}): Promise<BrowserMemory> {
  const { userId, accountKey, device, clock } = deps
  const name = shownMessagesName(userId)
  const binding = shownMessagesBinding(userId)
  const shown = new Map<string, number>()
  const sent = new Map<string, readonly SentLink[]>()
  let isChanged = false
  let stopped = false
  let writing: Promise<void> | undefined
  let merging: Promise<void> | undefined

  async function read(): Promise<Stored> {
    const sealed = await device.get(name)
    const plain =
      typeof sealed === 'string' ? await openPrivate(accountKey, binding, sealed).catch(() => undefined) : undefined
    return plain ? (JSON.parse(new TextDecoder().decode(plain)) as Stored) : { shown: [], sent: [] }
  }

  function addShown(key: string, expiresAt: number): boolean {
    if ((shown.get(key) ?? Infinity) <= expiresAt) return false
    shown.set(key, expiresAt)
    return true
  }

  function addSent(connectionId: string, added: SentLink): boolean {
    const before = sent.get(connectionId) ?? []
    if (before.some(({ link }) => link === added.link)) return false
    const all = [...before, added].toSorted((one, other) => one.sentAt - other.sentAt)
    const isLast = ({ lifetime, expiresAt }: SentLink, at: number) =>
      !all.slice(at + 1).some((later) => later.lifetime >= lifetime && later.expiresAt >= expiresAt)
    const kept = all.filter(isLast)
    sent.set(connectionId, kept)
    return kept.includes(added)
  }

  /** Merges in what other tabs have written. */
  async function merge(): Promise<void> {
    const stored = await read()
    for (const [key, expiresAt] of stored.shown) addShown(key, expiresAt)
    for (const [connectionId, links] of stored.sent) for (const each of links) addSent(connectionId, each)
  }

  /** Shared by the messages of a list: a sender can date each so that it is looked up. */
  const mergeOnce = () => (merging ??= merge().finally(() => (merging = undefined)))

  function removeOld(): void {
    const oldest = clock.now() - keptAfterExpiry
    for (const [key, expiresAt] of shown) if (expiresAt < oldest) shown.delete(key)
    for (const [id, links] of sent) if (links.every(({ expiresAt }) => expiresAt < oldest)) sent.delete(id)
  }

  async function write(): Promise<void> {
    isChanged = false
    await merge()
    removeOld()
    const newest = [...shown].toSorted(([, one], [, other]) => other - one).slice(0, maxShown)
    const plain = new TextEncoder().encode(JSON.stringify({ shown: newest, sent: [...sent] } satisfies Stored))
    await device.set(name, await sealPrivate(accountKey, binding, plain))
  }

  /** Writes until nothing has changed meanwhile. If the device refuses, the next change tries again. */
  async function writeAll(): Promise<void> {
    while (isChanged) await deps.tabs.runExclusive(`privity-shown/${userId}`, write)
  }

  function changed(): void {
    isChanged = true
    if (stopped) return
    writing ??= Promise.resolve()
      .then(writeAll)
      .catch(() => {})
      .finally(() => (writing = undefined))
  }

  await merge().catch(() => {})
  return {
    async expiryOf(place) {
      const key = keyOf(place)
      if (!shown.has(key)) await mergeOnce().catch(() => {})
      return shown.get(key)
    },
    recordShown(place, expiresAt) {
      if (addShown(keyOf(place), expiresAt)) changed()
    },
    lastSent: (connectionId) => sent.get(connectionId) ?? [],
    refresh: () => mergeOnce().catch(() => {}),
    recordSent(connectionId, added) {
      if (addSent(connectionId, added)) changed()
    },
    async stop() {
      stopped = true
      await writing
    },
  }
}
