import type { Client } from '@privity/client'
import { limits } from '@privity/contract/limits'
import { isVisible } from '@privity/contract/visible'
import type { ReadableStore } from '../../core/useStore.ts'
import { characters } from './characters.ts'

/** How long what is typed may wait before it is kept, also while somebody types on: a page that is reloaded keeps nothing any more. */
const pause = 250

interface Conversing extends Pick<Client, 'on'> {
  account: { state: Pick<Client['account']['state'], 'get'> }
  drafts: Client['drafts']
  messages: Pick<Client['messages'], 'send'>
}

/**
 * What one member is writing in one conversation, as text of its field. What was sent but does not lie in the outbox
 * yet is kept as a draft until it does, so that it is never lost between the two. A field that nobody has typed in
 * here shows what the other tabs keep; what is typed here and they let go of is kept again, unless they send it.
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

/** Those on the screen, and those whose messages are still on their way to the outbox when it is left; by `keyOf`. */
const open = new WeakMap<Conversing, Map<string, Writing>>()

function memberOf({ account }: Conversing): string | undefined {
  const state = account.state.get()
  return state.status === 'open' ? state.user.id : undefined
}

/** Two members who use one tab, one after the other, may be in the same conversation. */
const keyOf = (client: Conversing, connectionId: string) => `${memberOf(client)} ${connectionId}`

export const writingOf = (client: Conversing, connectionId: string): Writing =>
  open.get(client)?.get(keyOf(client, connectionId)) ?? createWriting(client, connectionId)

function createWriting(client: Conversing, connectionId: string): Writing {
  const key = keyOf(client, connectionId)
  let text = ''
  /** What is kept, as far as this tab has kept it or shown it as it was kept. */
  let own = ''
  let keeping: Promise<unknown> = Promise.resolve()
  /** Counts what happens here, so that what was read before is not shown after. */
  let changes = 0
  /** Counts how often it was read: what takes longer to open is not shown after what was read later. */
  let looks = 0
  let settling = 0
  /** Sent, oldest first; the first is just being put into the outbox. */
  let sent: string[] = []
  /** Typed here, and neither sent nor kept by another tab. */
  let touched = false
  let unsaved = false
  let onScreen = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()

  const whole = () => [...sent, text].filter((each) => each !== '').join('\n')

  function show(next: string): void {
    text = next
    for (const listener of listeners) listener()
  }

  /** Whoever wrote this is not the one who would send it now. */
  const isOver = () => keyOf(client, connectionId) !== key

  function stopTimer(): void {
    clearTimeout(timer)
    timer = undefined
  }

  async function keep(next: string): Promise<void> {
    changes += 1
    keeping = client.drafts.set(connectionId, next)
    await keeping
    own = next
  }

  const log = (error: unknown) => console.error(error)

  /** The device would not do it: tried again with the next save. */
  function notKept(error: unknown): void {
    unsaved = true
    log(error)
  }

  async function save(): Promise<void> {
    stopTimer()
    if (!unsaved || isOver()) return
    unsaved = false
    await keep(whole()).catch(notKept)
  }

  /** After a message was put into the outbox, or could not be: what another tab keeps is not this one's to remove. */
  async function keepRest(): Promise<void> {
    stopTimer()
    unsaved = false
    settling += 1
    try {
      await keeping.catch(() => {})
      const isOwn = whole() !== '' || (await client.drafts.get(connectionId)) === own
      if (isOwn && !unsaved && !isOver()) await keep(whole())
    } catch (error) {
      notKept(error)
    }
    settling -= 1
    forgetUnlessNeeded()
    await follow().catch(log)
  }

  /** What the tabs of this browser keep may have changed. */
  async function follow(): Promise<void> {
    const before = changes
    const look = ++looks
    const kept = await client.drafts.get(connectionId)
    if (look !== looks || isOver() || settling > 0) return
    if (changes !== before) return follow()
    if (!touched && sent.length === 0 && !unsaved) {
      own = kept
      if (kept !== text) show(kept)
      return
    }
    if (kept !== own) own = ''
    if (kept === '' && whole() !== '') await keep(whole())
  }

  /** Another tab sends what is kept: where that is what stands here, it is that tab's from now on. */
  function letGo(): void {
    if (text !== own || sent.length > 0) return
    stopTimer()
    unsaved = false
    touched = false
  }

  async function putAll(failed: (error: unknown) => void): Promise<void> {
    for (let next = sent[0]; next !== undefined && !isOver(); next = sent[0]) {
      try {
        await client.messages.send(connectionId, next)
        sent = sent.slice(1)
      } catch (error) {
        if (isOver()) break
        const back = whole()
        sent = []
        touched = true
        show(back)
        failed(error)
      }
      if (!isOver()) void keepRest()
    }
    if (isOver()) sent = []
    forgetUnlessNeeded()
  }

  function forgetUnlessNeeded(): void {
    const isNeeded = onScreen || sent.length > 0 || settling > 0 || (unsaved && !isOver())
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
      touched = true
      changes += 1
      show(next)
      unsaved = true
      timer ??= setTimeout(() => void save(), pause)
    },
    send(failed) {
      const next = text.trim()
      if (!isVisible(next) || characters(next) > limits.messageCharacters) return
      if (own.trim() === next) client.drafts.sending(connectionId).catch(log)
      touched = false
      changes += 1
      sent = [...sent, next]
      show('')
      if (sent.length === 1) void putAll(failed)
    },
    save: () => void save(),
    enter() {
      onScreen = true
      const all = open.get(client) ?? new Map<string, Writing>()
      open.set(client, all.set(key, writing))
      if (!touched) follow().catch(log)
      const off = client.on('draft_changed', (changed) => {
        if (changed.connectionId !== connectionId) return
        if (changed.sending) letGo()
        follow().catch(log)
      })
      return () => {
        onScreen = false
        off()
        void save().then(forgetUnlessNeeded)
      }
    },
  }
  return writing
}
