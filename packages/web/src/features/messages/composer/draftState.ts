import type { Client } from '@privity/client'
import { limits } from '@privity/contract/limits'
import { isVisible } from '@privity/contract/visible'
import type { ReadableStore } from '../../../ui/useStore.ts'
import { characters } from './characters.ts'

/** How long what is typed may wait before it is kept, also while somebody types on: a page that is reloaded keeps nothing any more. */
const pause = 250

interface Conversing {
  account: { state: Pick<Client['account']['state'], 'get'> }
  drafts: Pick<Client['drafts'], 'take' | 'set'>
  messages: Pick<Client['messages'], 'send'>
}

/**
 * What one member is writing in one conversation, as text of its field. What was sent but does not lie in the outbox
 * yet is kept as a draft until it does, so that it is never lost between the two. Each tab has a draft of its own, and
 * takes over that of a tab that is gone when it opens the conversation.
 */
export interface Writing extends ReadableStore<string> {
  change(text: string): void
  /**
   * Nothing where it is blank or too long. Else it empties the field and gives its text to the outbox, after all that was sent before. Where that fails, it and what
   * was sent after it stand in the field again, and `failed` is called.
   */
  send(failed: (error: unknown) => void): void
  /** Keeps at once what is not kept yet. */
  save(): void
  /** The conversation is on the screen; answers what to call when it is not any more. */
  enter(): () => void
}

/** Those on the screen, and those whose texts are still on their way to the device when it is left; by `keyOf`. */
const open = new WeakMap<Conversing, Map<string, Writing>>()

function memberOf({ account }: Conversing): string | undefined {
  const state = account.state.get()
  return state.status === 'open' ? state.user.id : undefined
}

/** Two members who use one tab, one after the other, may be in the same conversation. */
const keyOf = (client: Conversing, connectionId: string) => `${memberOf(client)} ${connectionId}`

export const writingOf = (client: Conversing, connectionId: string): Writing =>
  open.get(client)?.get(keyOf(client, connectionId)) ?? createWriting(client, connectionId)

const joined = (texts: readonly string[]) => texts.filter((text) => text !== '').join('\n')

function createWriting(client: Conversing, connectionId: string): Writing {
  const key = keyOf(client, connectionId)
  let text = ''
  /** Sent, oldest first; the first is just being put into the outbox. */
  let sent: string[] = []
  /** The kept draft is part of `text`: before, it must not be written over. */
  let isTaken = false
  let unsaved = false
  let onScreen = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()

  function show(next: string): void {
    text = next
    for (const listener of listeners) listener()
  }

  /** Whoever wrote this is not the one who would send it now. */
  const isOver = () => keyOf(client, connectionId) !== key

  const log = (error: unknown) => console.error(error)

  let queue: Promise<void> = Promise.resolve()
  let queued = 0
  /** The device is asked for one thing after the other: each depends on what the one before has left there. */
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
    unsaved ||= text !== '' || sent.length > 0
    show(joined([kept, text]))
  }

  async function keep(): Promise<void> {
    await take()
    if (!unsaved || isOver()) return
    unsaved = false
    try {
      await client.drafts.set(connectionId, joined([...sent, text]))
    } catch (error) {
      // Tried again with the next save.
      unsaved = true
      throw error
    }
  }

  function save(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    return unsaved ? inTurn(keep) : queue
  }

  /** The rest stays as the draft, in the same step. */
  async function put(failed: (error: unknown) => void): Promise<void> {
    const [first, ...others] = sent
    if (first === undefined) return
    const wasUnsaved = unsaved
    try {
      await take().catch(log)
      unsaved = false
      await client.messages.send(connectionId, first, isTaken ? joined([...others, text]) : undefined)
      unsaved ||= !isTaken && wasUnsaved
      sent = sent.slice(1)
    } catch (error) {
      if (isOver()) return
      const back = joined([...sent, text])
      sent = []
      unsaved = true
      show(back)
      failed(error)
    }
    if (unsaved) void save()
  }

  function forgetUnlessNeeded(): void {
    const isNeeded = onScreen || queued > 0 || (unsaved && !isOver())
    const all = open.get(client)
    if (!isNeeded && all?.get(key) === writing) all.delete(key)
  }

  const writing: Writing = {
    get: () => text,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change(next) {
      show(next)
      unsaved = true
      timer ??= setTimeout(() => void save(), pause)
    },
    send(failed) {
      const next = text.trim()
      if (!isVisible(next) || characters(next) > limits.messageCharacters) return
      sent = [...sent, next]
      show('')
      void inTurn(() => put(failed))
    },
    save: () => void save(),
    enter() {
      onScreen = true
      const all = open.get(client) ?? new Map<string, Writing>()
      open.set(client, all.set(key, writing))
      if (!isTaken) void inTurn(take)
      return () => {
        onScreen = false
        void save().then(forgetUnlessNeeded)
      }
    },
  }
  return writing
}
