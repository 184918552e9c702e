import { limits } from '@privity/contract/limits'
import type { ServerClock } from '../transport/serverClock.ts'
import type { OrderMark } from '../types.ts'
import type { BrowserMemory } from './browserMemory.ts'
import { type Conversation, createOmissions, isMissed, type Recorded, type ShownMessage } from './omissions.ts'

/** A message as later ones name it. */
interface SentMessage {
  link: string
  /** The sender's time in it. */
  sentAt: number
}

/** An answer of the server that lists the newest messages of a conversation. */
export interface NewestList {
  askedAt: number
  answeredAt: number
  /** The lowest and highest number in it; undefined for an empty list. */
  first: number | undefined
  last: number | undefined
  /** Whether it lists all that live. */
  isWhole: boolean
}

/**
 * Remembers what the server has shown of each conversation, and notices what it leaves out: numbers that are missing
 * under an envelope, and links to messages that still live and that this page has never been shown.
 */
export interface MessageOrder {
  /** The links that the next own message carries. */
  linksFor(connectionId: string): { previous: SentMessage | undefined; seen: string | undefined }
  /** The number under which the server has shown this message first. */
  numberOf(connectionId: string, id: string): number | undefined
  record(connectionId: string, shown: ShownMessage): void
  recordNewest(connectionId: string, list: NewestList): void
  /** The notes that a conversation shows beside its messages, by their ids. */
  marks(connectionId: string): ReadonlyMap<string, OrderMark>
  /** Looks for missing messages. Asks for the whole conversation before it says that one is missing. */
  check(connectionId: string): Promise<void>
  removeExpired(connectionId: string, ids: readonly string[]): void
  removeConnection(connectionId: string): void
  stop(): void
}

/** Further times at which the conversation was known in whole add nothing within this time. */
const wholeTimeStepMs = 60_000

/**
 * The whole conversation is asked for at most this often. Otherwise a contact whose messages name ones that never were
 * could have this browser use up the calls of its account.
 */
const minAskIntervalMs = 10_000

export function createMessageOrder(deps: {
  clock: Pick<ServerClock, 'now' | 'after' | 'isSynchronized' | 'synchronize'>
  /** How long a message lives, in milliseconds. */
  retention: () => number
  memory: BrowserMemory
  /** Since when the contact has had keys of each time. */
  presentSince: (connectionId: string) => number
  /** Lists all living messages of a conversation, and records them here. */
  listWhole: (connectionId: string) => Promise<void>
  /** The marks of this conversation have changed, or messages were found that this page did not show. */
  onChange: (connectionId: string) => void
  /** A message is missing, for the first time in this conversation. */
  onMissing: () => void
}): MessageOrder {
  const { clock, retention, memory } = deps
  const conversations = new Map<string, Conversation>()
  const { isIncomplete, isMissingBefore } = createOmissions(clock, retention)

  function open(connectionId: string): Conversation {
    const conversation = conversations.get(connectionId) ?? {
      presentSince: () => deps.presentSince(connectionId),
      byId: new Map(),
      byLink: new Map(),
      numbers: new Map(),
      wholeTimes: [],
      coveredTo: undefined,
      isPartial: false,
      unchecked: new Set(),
      marked: new Set(),
      late: new Set(),
      isAlarmed: false,
      checking: undefined,
      askedAt: -Infinity,
      stopTimer: undefined,
    }
    conversations.set(connectionId, conversation)
    return conversation
  }

  function updateMarks(connectionId: string, conversation: Conversation, candidates: Iterable<Recorded>): void {
    const before = [...conversation.marked]
    for (const message of before) if (!isIncomplete(conversation, message)) conversation.marked.delete(message)
    for (const message of candidates) if (isMissingBefore(conversation, message)) conversation.marked.add(message)
    const isSame = before.length === conversation.marked.size && before.every((each) => conversation.marked.has(each))
    if (!isSame) deps.onChange(connectionId)
    if (conversation.marked.size === 0 || conversation.isAlarmed) return
    conversation.isAlarmed = true
    deps.onMissing()
  }

  /** Whether the last time at which the whole conversation was known is too long ago to judge by. */
  function needsWhole({ isPartial, wholeTimes }: Conversation): boolean {
    const [newest] = wholeTimes.slice(-1)
    return isPartial || (newest !== undefined && newest.from < clock.now() - retention() / 4)
  }

  function checkLater(connectionId: string, conversation: Conversation): void {
    const elapsed = Math.max(clock.now() - conversation.askedAt, 0)
    conversation.stopTimer ??= clock.after(Math.max(minAskIntervalMs - elapsed, 0), () => {
      conversation.stopTimer = undefined
      check(connectionId).catch(() => {})
    })
  }

  const isAskedJustNow = ({ askedAt }: Conversation) => Math.abs(clock.now() - askedAt) < minAskIntervalMs

  /** Returns false if the rest must wait. */
  async function checkOnce(connectionId: string, conversation: Conversation): Promise<boolean> {
    // Taken before the list is asked for: what a later message links to may be under way.
    const checked = [...conversation.unchecked]
    const isSuspicious = checked.some((message) => isMissingBefore(conversation, message))
    const known = conversation.byId.size
    if (isSuspicious && isAskedJustNow(conversation)) {
      checkLater(connectionId, conversation)
      return false
    }
    if (isSuspicious || needsWhole(conversation)) {
      if (!clock.isSynchronized()) await clock.synchronize()
      if (isSuspicious) conversation.askedAt = clock.now()
      await deps.listWhole(connectionId)
    }
    updateMarks(connectionId, conversation, checked)
    for (const message of checked) conversation.unchecked.delete(message)
    if (isSuspicious && conversation.byId.size > known) deps.onChange(connectionId)
    return true
  }

  async function checkAll(connectionId: string, conversation: Conversation): Promise<void> {
    while ((await checkOnce(connectionId, conversation)) && conversation.unchecked.size > 0);
  }

  function check(connectionId: string): Promise<void> {
    const conversation = open(connectionId)
    conversation.checking ??= checkAll(connectionId, conversation).finally(() => (conversation.checking = undefined))
    return conversation.checking
  }

  function add(conversation: Conversation, recorded: Recorded): void {
    const { id, link, envelopeId, context } = recorded
    conversation.byId.set(id, recorded)
    conversation.byLink.set(link, recorded)
    if (!context) return
    const numbers = conversation.numbers.get(envelopeId) ?? new Map<number, Recorded>()
    conversation.numbers.set(envelopeId, numbers.set(context.n, recorded))
    if (isIncomplete(conversation, recorded)) conversation.unchecked.add(recorded)
  }

  function removeOld(conversation: Conversation): void {
    const oldest = clock.now() - limits.retention
    for (const [id, recorded] of conversation.byId) {
      if (recorded.expiresAt >= oldest) continue
      conversation.byId.delete(id)
      conversation.byLink.delete(recorded.link)
      conversation.numbers.delete(recorded.envelopeId)
      conversation.late.delete(id)
    }
  }

  /** By the signed times, none of which lies ahead: the numbers are the server's word. */
  function newestLink(conversation: Conversation, mine: boolean): SentMessage | undefined {
    let newest: SentMessage | undefined
    const oldest = clock.now() - retention()
    for (const each of conversation.byId.values()) {
      const isLiving = !each.isExpired && each.expiresAt > clock.now() && each.createdAt > oldest
      if (each.mine !== mine || !each.context || !isLiving) continue
      const sentAt = Math.min(each.context.sentAt, each.recordedAt)
      if (sentAt >= (newest?.sentAt ?? 0)) newest = { link: each.link, sentAt }
    }
    return newest
  }

  return {
    linksFor(connectionId) {
      const conversation = open(connectionId)
      const stored = memory.newestSent(connectionId)
      const own = newestLink(conversation, true)
      const isStoredNewer = stored && stored.expiresAt > clock.now() && stored.sentAt > (own?.sentAt ?? -1)
      return {
        previous: isStoredNewer ? stored : own,
        seen: newestLink(conversation, false)?.link,
      }
    },
    numberOf: (connectionId, id) => conversations.get(connectionId)?.byId.get(id)?.seq,
    record(connectionId, shown) {
      const conversation = open(connectionId)
      const before = conversation.byId.get(shown.id)
      const isKnown = before?.link === shown.link && (before.context !== undefined || !shown.context)
      if (isKnown) return
      if (!before && isMissed(conversation, shown)) conversation.late.add(shown.id)
      add(conversation, { ...shown, recordedAt: before?.recordedAt ?? clock.now(), isExpired: false })
      if (shown.seq === (conversation.coveredTo ?? NaN) + 1) conversation.coveredTo = shown.seq
      const { mine, link, expiresAt, context } = shown
      const until = Math.min(expiresAt, shown.createdAt + retention())
      if (mine && context) memory.recordSent(connectionId, { link, sentAt: context.sentAt, expiresAt: until })
    },
    recordNewest(connectionId, { askedAt, answeredAt, first, last, isWhole }) {
      const conversation = open(connectionId)
      const { coveredTo, wholeTimes } = conversation
      const isContinued = first !== undefined && coveredTo !== undefined && first <= coveredTo + 1
      conversation.isPartial = !isWhole && !isContinued
      if (conversation.isPartial) return
      conversation.coveredTo = Math.max(last ?? 0, coveredTo ?? 0)
      const [newest] = wholeTimes.slice(-1)
      if (newest && askedAt - newest.from < wholeTimeStepMs && newest.retention === retention()) return
      wholeTimes.push({ from: askedAt, to: answeredAt, retention: retention() })
      conversation.wholeTimes = wholeTimes.filter(({ from }) => from > askedAt - limits.retention)
    },
    marks(connectionId) {
      const { marked, late } = open(connectionId)
      const marks = new Map<string, OrderMark>([...late].map((id) => [id, { isLate: true }]))
      for (const { id } of marked) marks.set(id, { ...marks.get(id), isMissingBefore: true })
      return marks
    },
    check,
    removeExpired(connectionId, ids) {
      const conversation = conversations.get(connectionId)
      if (!conversation) return
      for (const id of ids) {
        const recorded = conversation.byId.get(id)
        if (!recorded) continue
        recorded.isExpired = true
        conversation.unchecked.delete(recorded)
        conversation.marked.delete(recorded)
      }
      removeOld(conversation)
    },
    removeConnection(connectionId) {
      conversations.get(connectionId)?.stopTimer?.()
      conversations.delete(connectionId)
    },
    stop() {
      for (const { stopTimer } of conversations.values()) stopTimer?.()
    },
  }
}
