import { limits } from '@privity/contract/limits'
import type { ServerClock } from '../../transport/serverClock.ts'
import type { OrderMark } from '../../types.ts'
import type { BrowserMemory } from '../browserMemory.ts'
import {
  addRecorded,
  canJudge,
  type Conversation,
  createConversation,
  type DeliveredMessage,
  hasUnshown,
  isMissed,
  messagesFrom,
  type NewestList,
  type Recorded,
  removeOld,
  type ShownList,
  type ShownMessages,
  updateListed,
} from './conversation.ts'
import { createMessageLinks, type MessageLinks } from './messageLinks.ts'
import { createOmissions, deviceTimes } from './omissions.ts'

/**
 * Remembers what the server has delivered of each conversation, and notices what it leaves out: numbers that are
 * missing under an envelope, links to messages that still live and that this page has never been given, and messages
 * that it was given, but not where it shows them.
 */
export interface MessageOrder {
  /** Returns the links that the next own message carries, once the memory has what other tabs have sent. */
  linksFor(connectionId: string, lifetime: number): Promise<ReturnType<MessageLinks['linksFor']>>
  recordSending: MessageLinks['recordSending']
  recordStored: MessageLinks['recordStored']
  /** The number under which the server has delivered this message first. */
  numberOf(connectionId: string, id: string): number | undefined
  /**
   * Records a message as delivered. `hasEnded` is given only where this browser refuses the message: true if it was
   * shown until its end.
   */
  record(connectionId: string, delivered: DeliveredMessage, hasEnded?: boolean): void
  /** Records that the member has signed the deletion of an own message, whatever the server says of it. */
  recordDeleted(connectionId: string, id: string): void
  /** Records what a list of the newest messages covers, whether or not the page shows them. */
  recordNewest(connectionId: string, list: NewestList): void
  /** All messages that the server has delivered and that are not long expired. */
  known(connectionId: string): readonly Recorded[]
  /** Records the messages of this list as shown, and those that it should hold and lacks as left out. */
  recordListed(connectionId: string, list: ShownList): void
  /** Records these messages as shown. The browser shows none that could be opened after its expiry. */
  recordShown(connectionId: string, shown: ShownMessages): void
  /** The notes that a conversation shows beside its messages, by their ids. */
  marks(connectionId: string): ReadonlyMap<string, OrderMark>
  /**
   * Looks for missing messages. Marks a message before which one is missing, only after a list that would hold that
   * one: the page's, or the whole conversation, fetched if needed. `isWanted`: the member asks, so without delay.
   * Throws if that fetch fails.
   */
  check(connectionId: string, isWanted?: boolean): Promise<void>
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
  clock: Pick<ServerClock, 'now' | 'steady' | 'after' | 'isSynchronized' | 'synchronize' | 'correction'>
  /** How long a message lives, in milliseconds. */
  retention: () => number
  memory: BrowserMemory
  /** Since when the contact has certainly had keys without a gap. */
  presentSince: (connectionId: string) => number
  /** Lists all living messages of a conversation, and records them here. */
  listWhole: (connectionId: string) => Promise<void>
  /**
   * The page has to list this conversation again: its marks have changed, messages were found that the page did not
   * show, or one seems to be missing.
   */
  onChange: (connectionId: string) => void
  /** A message is missing, for the first time in this conversation. */
  onMissing: () => void
}): MessageOrder {
  const { clock, retention } = deps
  const conversations = new Map<string, Conversation>()
  const { isIncomplete, isMissingBefore, isLiving, needsWhole } = createOmissions(clock, retention)
  const links = createMessageLinks(deps)

  function open(connectionId: string): Conversation {
    const presentSince = () => deps.presentSince(connectionId)
    const conversation = conversations.get(connectionId) ?? createConversation(presentSince)
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

  function checkLater(connectionId: string, conversation: Conversation): void {
    const elapsed = Math.max(clock.now() - conversation.askedAt, 0)
    conversation.stopTimer ??= clock.after(Math.max(minAskIntervalMs - elapsed, 0), () => {
      conversation.stopTimer = undefined
      check(connectionId).catch(() => {})
    })
  }

  /** Checks the messages that need no further list, even while the list of the whole conversation is under way. */
  function markCovered(connectionId: string, conversation: Conversation): void {
    const covered = [...conversation.unchecked].filter((each) => canJudge(conversation, each))
    updateMarks(connectionId, conversation, covered)
  }

  const isAskedJustNow = ({ askedAt }: Conversation) => Math.abs(clock.now() - askedAt) < minAskIntervalMs

  /** Returns false if the rest must wait. */
  async function checkOnce(connectionId: string, conversation: Conversation): Promise<boolean> {
    // Taken before the list is asked for: what a later message links to may be under way.
    const checked = [...conversation.unchecked]
    const isMissing = (message: Recorded) => isMissingBefore(conversation, message)
    const isWholeWanted = needsWhole(conversation, checked)
    // Even without an answer, the clock then counts the time for which the device has slept.
    if ((isWholeWanted || checked.some(isMissing)) && !clock.isSynchronized()) await clock.synchronize().catch(() => {})
    markCovered(connectionId, conversation)
    const isSuspicious = checked.some((message) => !canJudge(conversation, message) && isMissing(message))
    if (isSuspicious && isAskedJustNow(conversation)) {
      checkLater(connectionId, conversation)
      await conversation.whole
      return false
    }
    if (isSuspicious || isWholeWanted) {
      if (isSuspicious) conversation.askedAt = clock.now()
      // The page lists what it shows meanwhile: a server could refuse the whole list alone, or never end it.
      if (isSuspicious) deps.onChange(connectionId)
      conversation.whole = deps.listWhole(connectionId)
      await conversation.whole
      if (hasUnshown(conversation)) deps.onChange(connectionId)
    }
    updateMarks(connectionId, conversation, checked)
    for (const message of checked) conversation.unchecked.delete(message)
    return true
  }

  async function checkAll(connectionId: string, conversation: Conversation): Promise<void> {
    while ((await checkOnce(connectionId, conversation)) && conversation.unchecked.size > 0);
  }

  function check(connectionId: string, isWanted = false): Promise<void> {
    const conversation = open(connectionId)
    if (isWanted) conversation.askedAt = -Infinity
    if (clock.isSynchronized()) markCovered(connectionId, conversation)
    conversation.checking ??= checkAll(connectionId, conversation).finally(() => (conversation.checking = undefined))
    return conversation.checking
  }

  /** Has each unmarked message checked again that names, or follows under its envelope, an unknown or left-out one. */
  function uncheck(conversation: Conversation): void {
    for (const each of conversation.byId.values())
      if (!conversation.marked.has(each) && isIncomplete(conversation, each)) conversation.unchecked.add(each)
  }

  function recordShown(connectionId: string, shown: ShownMessages): void {
    const conversation = open(connectionId)
    for (const [id, opened] of shown) {
      if (opened) deps.memory.recordShown({ connectionId, id, mine: opened.mine }, opened.expiresAt)
      const recorded = conversation.byId.get(id)
      if (!recorded || recorded.mine !== (opened?.mine ?? recorded.mine)) continue
      if (recorded.isHidden && isMissed(conversation, recorded)) conversation.late.add(id)
      // Where one is shown that could not be opened, an opened one under its id is not.
      if (opened || !recorded.context || recorded.isDeleted) recorded.isShown = true
      Object.assign(recorded, { isHidden: false, isExpired: false, isListed: true })
    }
  }

  return {
    async linksFor(connectionId, lifetime) {
      await deps.memory.refresh()
      return links.linksFor(connectionId, open(connectionId), lifetime)
    },
    recordSending: links.recordSending,
    recordStored: links.recordStored,
    numberOf: (connectionId, id) => conversations.get(connectionId)?.byId.get(id)?.seq,
    record(connectionId, delivered, hasEnded) {
      const conversation = open(connectionId)
      const { id, seq, link, n, context, isDeleted } = delivered
      const before = conversation.byId.get(id)
      const same = before?.link === link ? before : undefined
      // An altered copy takes no place of the message under its id.
      if (before?.n !== undefined && !same && n === undefined) return
      const isOwnDeleted = delivered.mine && conversation.ownDeleted.has(id)
      const flags = { hasEnded: hasEnded || same?.hasEnded, isDeleted: isDeleted || same?.isDeleted || isOwnDeleted }
      if (same && (same.context ?? context) === same.context && (same.n ?? n) === same.n)
        return void Object.assign(same, flags, { isShown: same.isShown || hasEnded })
      if (!before && isMissed(conversation, delivered)) conversation.late.add(id)
      const { recordedAt, steadyAt, deviceAt } = same ?? { recordedAt: clock.now(), ...deviceTimes(clock) }
      const noted = { recordedAt, steadyAt, deviceAt }
      const isExpired = hasEnded !== undefined
      const recorded = { ...delivered, ...noted, isShown: hasEnded ?? false, isExpired, ...flags }
      addRecorded(conversation, recorded)
      if (isIncomplete(conversation, recorded)) conversation.unchecked.add(recorded)
      if (seq === (conversation.coveredTo ?? NaN) + 1) conversation.coveredTo = seq
      links.recordStored(connectionId, link, delivered.createdAt)
    },
    recordDeleted(connectionId, id) {
      const { byId, ownDeleted } = open(connectionId)
      ownDeleted.add(id)
      const recorded = byId.get(id)
      if (recorded?.mine) recorded.isDeleted = true
    },
    recordNewest(connectionId, { askedAt, answeredAt, first, last, isWhole, known, ids }) {
      const conversation = open(connectionId)
      if (ids && updateListed(conversation, known, ids)) uncheck(conversation)
      const { coveredTo, wholeTimes } = conversation
      const isContinued = first !== undefined && coveredTo !== undefined && first <= coveredTo + 1
      conversation.isPartial = !isWhole && !isContinued
      if (conversation.isPartial) return
      for (const each of known) each.isCovered = true
      conversation.coveredTo = Math.max(last ?? 0, coveredTo ?? 0)
      const newest = wholeTimes.at(-1)
      // A time that is far ahead was noted before the clock was put back: it does not count as recent.
      const isSoon = newest && Math.abs(askedAt - newest.from) < wholeTimeStepMs
      if (isSoon && newest.retention === retention()) return
      const from = Math.min(askedAt, answeredAt)
      wholeTimes.push({ from, to: answeredAt, retention: retention(), ...deviceTimes(clock) })
      conversation.wholeTimes = wholeTimes.filter(({ from }) => from > askedAt - limits.retention)
    },
    known: (connectionId) => [...open(connectionId).byId.values()],
    recordListed(connectionId, { known, shown, first, before = Infinity }) {
      const conversation = open(connectionId)
      const listed = messagesFrom(conversation, first)
      const isLeftOut = (each: Recorded) =>
        !shown.has(each.id) && !each.isHidden && each.seq < before && listed.has(each) && isLiving(conversation, each)
      const leftOut = known.filter(isLeftOut)
      for (const each of leftOut) each.isHidden = true
      const isWithdrawn = (each: Recorded) =>
        each.n === undefined && each.isListed && !shown.has(each.id) && each.seq < before && listed.has(each)
      const withdrawn = known.filter(isWithdrawn)
      for (const each of withdrawn) each.isListed = false
      recordShown(connectionId, shown)
      if (before === Infinity) conversation.shownFrom = first
      // The server's word on time and lifetimes may have been another at the last check.
      uncheck(conversation)
    },
    recordShown,
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
      let isChanged = false
      for (const id of ids) {
        const recorded = conversation.byId.get(id)
        if (!recorded) continue
        recorded.isExpired = true
        recorded.isHidden ||= isLiving(conversation, recorded)
        recorded.endedAt = Math.min(recorded.expiresAt, clock.now())
        isChanged ||= recorded.isHidden || !recorded.isShown || !recorded.context
        conversation.unchecked.delete(recorded)
        conversation.marked.delete(recorded)
      }
      removeOld(conversation, clock.now() - limits.retention)
      if (!isChanged) return
      uncheck(conversation)
      check(connectionId).catch(() => {})
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
