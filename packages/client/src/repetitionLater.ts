import type { AccountKey } from '@privity/e2ee'
import type { Clock } from './clock.ts'
import type { Device } from './device.ts'
import type { OpenedMessage } from './types.ts'

export interface RepetitionDeps {
  userId: string
  accountKey: AccountKey
  device: Device
  clock: Clock
}

export interface OwnText {
  id: string
  text: string
  at: number
}

/** How often this user says the same, counted on this device; its code is fetched with the first longer text. */
export interface Repetition {
  /** A message of one's own that was opened, wherever it was sent from. */
  opened(message: OpenedMessage): void
  /** What goes with the message where it repeats others; undefined where it does not, or where it cannot be counted. */
  tagOf(text: OwnText): Promise<string | undefined>
  /** Resolves when nothing more is written to the device. */
  stop(): Promise<void>
}

/** Shorter texts are said again every day. */
const fewestCharacters = 20

export function createRepetition(deps: RepetitionDeps): Repetition {
  let opened: OwnText[] = []
  let stopped = false
  let counting: Promise<unknown> = Promise.resolve()

  async function count(text: OwnText): Promise<string | undefined> {
    const news = opened
    opened = []
    try {
      const { countText } = await import('./repetition.ts')
      return stopped ? undefined : await countText(deps, text, news)
    } catch {
      // Nothing that moderation wants may hold up a message.
      opened = [...news, ...opened]
      return undefined
    }
  }

  return {
    opened({ id, body, createdAt }) {
      if (body.kind === 'text' && body.text.length >= fewestCharacters)
        opened.push({ id, text: body.text, at: createdAt })
    },
    async tagOf(text) {
      if (text.text.length < fewestCharacters) return undefined
      const counted = count(text)
      counting = counted
      return counted
    },
    async stop() {
      stopped = true
      await counting
    },
  }
}
