import { limits } from '@privity/contract/limits'
import type { DecryptedMessage } from '../types.ts'
import type { countText, DuplicateTextDeps, OwnText } from './countText.ts'

/** Counts how often this user sends the same text, on this device only. */
export interface DuplicateTexts {
  /** Adds an own message that was decrypted, no matter from which browser it was sent. */
  addDecrypted(message: DecryptedMessage): void
  /** Returns the tag to send with a repeated text; undefined for others, or if counting fails. */
  tagFor(text: OwnText): Promise<string | undefined>
  /** Removes expired messages that wait to be counted, so that no plaintext of them stays in memory. */
  removeExpired(ids: readonly string[]): void
  /** Resolves when nothing more is written to the device. */
  stop(): Promise<void>
}

/** Shorter texts are repeated in everyday use. */
const minCharacters = 20

/** Loads the code with the first text that is counted. */
const loadAndCount: typeof countText = async (...counted) => (await import('./countText.ts')).countText(...counted)

export function createDuplicateTexts(deps: DuplicateTextDeps, count = loadAndCount): DuplicateTexts {
  /** Texts waiting for the next count, which takes each of them once. */
  const waiting = new Map<string, OwnText>()
  let stopped = false
  let counting: Promise<unknown> = Promise.resolve()

  async function countAndTag(text: OwnText): Promise<string | undefined> {
    const decrypted = [...waiting.values()]
    waiting.clear()
    try {
      return stopped ? undefined : await count(deps, text, decrypted)
    } catch {
      // A failure here must not delay the message.
      for (const each of decrypted) waiting.set(each.id, each)
      return undefined
    }
  }

  return {
    addDecrypted({ id, body, createdAt }) {
      if (body.kind !== 'text' || body.text.length < minCharacters) return
      if (createdAt > deps.clock.now() - limits.repeatedWindow) waiting.set(id, { id, text: body.text, createdAt })
    },
    removeExpired(ids) {
      for (const id of ids) waiting.delete(id)
    },
    async tagFor(text) {
      if (text.text.length < minCharacters) return undefined
      const tag = countAndTag(text)
      counting = tag
      return tag
    },
    async stop() {
      stopped = true
      waiting.clear()
      await counting
    },
  }
}
