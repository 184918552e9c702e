import type { Client, Quote } from '@privity/client'
import { createStore, type Store } from '@privity/client/store'
import { markDraft } from '../draftMarks.ts'
import { maxParts, splitText } from './splitText.ts'

/** Interval for storing typed text, also while the user keeps typing: a page that reloads can no longer store it. */
const pause = 250

interface Conversing {
  account: { state: Pick<Client['account']['state'], 'get'> }
  drafts: Pick<Client['drafts'], 'take' | 'set'>
  messages: Pick<Client['messages'], 'send'>
}

/**
 * Draft and pending sends of one member in one conversation. Text that was sent but is not in the outbox yet is stored
 * as part of the draft, so that it cannot get lost in between. Each tab has its own draft and, when it opens the
 * conversation, takes over that of a closed tab.
 */
export interface DraftState extends Store<string> {
  change(text: string): void
  /**
   * Ignores blank text, and text of too many parts. Otherwise clears the field and adds the text to the outbox after
   * earlier sends, in parts if it is too long for one message. If that fails, the field gets back this text, but for
   * the parts that are in the outbox, and later sends, and `failed` is called.
   */
  send(failed: (error: unknown) => void, quote?: Quote): void
  /** Stores unsaved text now. */
  save(): Promise<void>
  /** Called when the conversation is shown; returns a function to call when it is hidden. */
  enter(): () => void
}

/** States of shown conversations and of those whose text is still being stored, by `keyOf`. */
const open = new WeakMap<Conversing, Map<string, DraftState>>()

function memberOf({ account }: Conversing): string | undefined {
  const state = account.state.get()
  return state.status === 'open' ? state.user.id : undefined
}

/** Includes the member, because two members who use a tab in turn may share a conversation. */
const keyOf = (client: Conversing, connectionId: string) => `${memberOf(client)} ${connectionId}`

export const draftStateOf = (client: Conversing, connectionId: string): DraftState =>
  open.get(client)?.get(keyOf(client, connectionId)) ?? createDraftState(client, connectionId)

/** A message on its way to the outbox. */
interface Sent {
  /** With the space up to the next part. */
  text: string
  /** The last part of its text. */
  isEnd: boolean
  /** That of its text, with the first part. */
  quote: Quote | undefined
}

const joined = (texts: readonly string[]) => texts.filter((text) => text !== '').join('\n')

/** The draft that these messages and the text in the field are. */
const draftOf = (sent: readonly Sent[], text: string) =>
  joined([
    sent
      .map((each) => (each.isEnd ? `${each.text}\n` : each.text))
      .join('')
      .replace(/\n$/, ''),
    text,
  ])

function createDraftState(client: Conversing, connectionId: string): DraftState {
  const key = keyOf(client, connectionId)
  const text = createStore('')
  /** Sent texts, oldest first; the first is being added to the outbox. */
  let sent: Sent[] = []
  /** The stored draft has been loaded into `text`; before that it must not be overwritten. */
  let isTaken = false
  let unsaved = false
  let onScreen = false
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Another member is signed in now, who must not send this text. */
  const isOver = () => keyOf(client, connectionId) !== key

  const log = (error: unknown) => console.error(error)

  let queue: Promise<void> = Promise.resolve()
  let queued = 0
  /** Runs storage operations in sequence: each depends on the result of the one before. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    queued += 1
    queue = queue
      .then(() => (isOver() ? undefined : work()))
      .catch(log)
      .finally(() => {
        queued -= 1
        forgetUnlessNeeded()
      })
    return queue
  }

  async function take(): Promise<void> {
    if (isTaken) return
    const kept = await client.drafts.take(connectionId)
    isTaken = true
    if (kept === '' || isOver()) return
    unsaved ||= text.get() !== '' || sent.length > 0
    text.set(joined([kept, text.get()]))
  }

  async function keep(): Promise<void> {
    await take()
    if (!unsaved || isOver()) return
    unsaved = false
    try {
      await client.drafts.set(connectionId, draftOf(sent, text.get()))
    } catch (error) {
      // The next save tries again.
      unsaved = true
      throw error
    }
  }

  function save(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    return unsaved ? inTurn(keep) : queue
  }

  /** Moves the first sent text to the outbox and stores the rest as the draft, in one transaction. */
  async function put(failed: (error: unknown) => void): Promise<void> {
    const [first, ...others] = sent
    if (first === undefined) return
    const wasUnsaved = unsaved
    try {
      await take().catch(log)
      unsaved = false
      const rest = isTaken ? draftOf(others, text.get()) : undefined
      await client.messages.send(connectionId, first.text.trim(), rest, first.quote)
      unsaved ||= !isTaken && wasUnsaved
      sent = sent.slice(1)
    } catch (error) {
      if (isOver()) return
      const back = draftOf(sent, text.get())
      sent = []
      unsaved = true
      text.set(back)
      failed(error)
    }
    if (unsaved) void save()
  }

  function forgetUnlessNeeded(): void {
    const isNeeded = onScreen || queued > 0 || (unsaved && !isOver())
    const all = open.get(client)
    if (!isNeeded && all?.get(key) === writing) all.delete(key)
  }

  const writing: DraftState = {
    get: text.get,
    subscribe: text.subscribe,
    change(next) {
      text.set(next)
      unsaved = true
      timer ??= setTimeout(() => void save(), pause)
    },
    send(failed, quote) {
      const parts = splitText(text.get())
      const last = parts.length - 1
      if (last < 0 || parts.length > maxParts) return
      const added = parts.map((part, i) => ({ text: part, isEnd: i === last, quote: i === 0 ? quote : undefined }))
      sent = [...sent, ...added]
      text.set('')
      for (const _ of parts) void inTurn(() => put(failed))
    },
    save,
    enter() {
      onScreen = true
      const all = open.get(client) ?? new Map<string, DraftState>()
      open.set(client, all.set(key, writing))
      if (!isTaken) void inTurn(take)
      return () => {
        onScreen = false
        if (isTaken && !isOver()) markDraft(connectionId, draftOf(sent, text.get()) !== '')
        void save().then(forgetUnlessNeeded)
      }
    },
  }
  return writing
}
