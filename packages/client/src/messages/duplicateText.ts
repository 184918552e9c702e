import { limits } from '@privity/contract/limits'
import type { DecryptedMessage } from '../types.ts'
import type { DuplicateTextDeps, OwnText } from './duplicateTextCount.ts'

/** Counts how often this user sends the same text, on this device only. Loaded lazily with the first longer text. */
export interface DuplicateTexts {
  /** Adds an own message that was decrypted, no matter from which browser it was sent. */
  opened(message: DecryptedMessage): void
  /** Returns the tag to send with a repeated text; undefined for others, or if counting fails. */
  tagFor(text: OwnText): Promise<string | undefined>
  /** Removes expired messages, so that no plaintext of them is kept. */
  expired(ids: readonly string[]): void
  /** Resolves when nothing more is written to the device. */
  stop(): Promise<void>
}

/** Shorter texts are repeated in everyday use. */
const minCharacters = 20

export function createDuplicateTexts(deps: DuplicateTextDeps): DuplicateTexts {
  /** Texts waiting for the next count, which takes each of them once. */
  const opened = new Map<string, OwnText>()
  let stopped = false
  let counting: Promise<unknown> = Promise.resolve()

  async function count(text: OwnText): Promise<string | undefined> {
    const news = [...opened.values()]
    opened.clear()
    try {
      const { countText } = await import('./duplicateTextCount.ts')
      return stopped ? undefined : await countText(deps, text, news)
    } catch {
      // A failure here must not delay the message.
      for (const each of news) opened.set(each.id, each)
      return undefined
    }
  }

  return {
    opened({ id, body, createdAt }) {
      if (body.kind !== 'text' || body.text.length < minCharacters) return
      if (createdAt > deps.clock.now() - limits.repeatedWindow) opened.set(id, { id, text: body.text, at: createdAt })
    },
    expired(ids) {
      for (const id of ids) opened.delete(id)
    },
    async tagFor(text) {
      if (text.text.length < minCharacters) return undefined
      const counted = count(text)
      counting = counted
      return counted
    },
    async stop() {
      stopped = true
      opened.clear()
      await counting
    },
  }
}
