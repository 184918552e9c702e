import type { Client } from '@privity/client'
import { limits } from '@privity/contract/limits'
import type { ReadableStore } from '../../core/useStore.ts'
import { characters } from './characters.ts'

/** How long nobody types before what is typed is kept. */
const pause = 250

interface Conversing {
  drafts: Pick<Client['drafts'], 'get' | 'set'>
  messages: Pick<Client['messages'], 'send'>
}

/**
 * What is being written in one conversation, as text of its field. What was sent but does not lie in the outbox yet
 * is kept as a draft until it does, so that it is never lost between the two.
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

/** Those on the screen, and those whose messages are still on their way to the outbox when it is left. */
const open = new WeakMap<Conversing, Map<string, Writing>>()

export const writingOf = (client: Conversing, connectionId: string): Writing =>
  open.get(client)?.get(connectionId) ?? createWriting(client, connectionId)

function createWriting(client: Conversing, connectionId: string): Writing {
  let text = ''
  /** Sent, oldest first; the first is just being put into the outbox. */
  let sent: string[] = []
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

  function save(): void {
    clearTimeout(timer)
    if (!unsaved) return
    unsaved = false
    client.drafts.set(connectionId, whole()).catch((error: unknown) => console.error(error))
  }

  async function putAll(failed: (error: unknown) => void): Promise<void> {
    for (let next = sent[0]; next !== undefined; next = sent[0]) {
      try {
        await client.messages.send(connectionId, next)
        sent = sent.slice(1)
      } catch (error) {
        const back = whole()
        sent = []
        show(back)
        failed(error)
      }
      unsaved = true
      save()
    }
    forgetUnlessNeeded()
  }

  function forgetUnlessNeeded(): void {
    const all = open.get(client)
    if (!onScreen && sent.length === 0 && all?.get(connectionId) === writing) all.delete(connectionId)
  }

  const writing: Writing = {
    get: () => text,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change(next) {
      touched = true
      show(next)
      unsaved = true
      clearTimeout(timer)
      timer = setTimeout(save, pause)
    },
    send(failed) {
      const next = text.trim()
      if (next === '' || characters(next) > limits.messageCharacters) return
      touched = true
      sent = [...sent, next]
      show('')
      if (sent.length === 1) void putAll(failed)
    },
    save,
    enter() {
      onScreen = true
      const all = open.get(client) ?? new Map<string, Writing>()
      open.set(client, all.set(connectionId, writing))
      if (!touched)
        client.drafts
          .get(connectionId)
          .then((kept) => {
            if (!touched) show(kept)
          })
          .catch((error: unknown) => console.error(error))
      return () => {
        onScreen = false
        save()
        forgetUnlessNeeded()
      }
    },
  }
  return writing
}
