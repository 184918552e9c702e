import { limits } from '@privity/contract/limits'
import type { OpenedMessage } from '../types.ts'
import type { RepetitionDeps, OwnText } from './duplicateTextCount.ts'

/** How often this user says the same, counted on this device; its code is fetched with the first longer text. */
export interface Repetition {
  /** A message of one's own that was opened, wherever it was sent from. */
  opened(message: OpenedMessage): void
  /** What goes with the message where it repeats others; undefined where it does not, or where it cannot be counted. */
  tagOf(text: OwnText): Promise<string | undefined>
  /** These have expired: nothing of them is kept in clear. */
  expired(ids: readonly string[]): void
  /** Resolves when nothing more is written to the device. */
  stop(): Promise<void>
}

/** Shorter texts are said again every day. */
const fewestCharacters = 20

export function createRepetition(deps: RepetitionDeps): Repetition {
  /** Until the next count takes them over, each once, and for as long as they count. */
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
      // Nothing that moderation wants may hold up a message.
      for (const each of news) opened.set(each.id, each)
      return undefined
    }
  }

  return {
    opened({ id, body, createdAt }) {
      if (body.kind !== 'text' || body.text.length < fewestCharacters) return
      if (createdAt > deps.clock.now() - limits.repeatedWindow) opened.set(id, { id, text: body.text, at: createdAt })
    },
    expired(ids) {
      for (const id of ids) opened.delete(id)
    },
    async tagOf(text) {
      if (text.text.length < fewestCharacters) return undefined
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
