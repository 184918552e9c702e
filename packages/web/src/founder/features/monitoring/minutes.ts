import type { MessageRate } from '@privity/contract/founder/monitoring'
import { formatNumber, plural } from '../../../i18n/language.ts'
import { monitoringTexts } from './texts.ts'

const two = (value: number) => String(value).padStart(2, '0')

/** HH:mm in the reader's time zone; `ms` is Unix time. */
export function clockTime(ms: number): string {
  const date = new Date(ms)
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

/** HH:mm:ss in the reader's time zone. */
export const clockSeconds = (ms: number): string => `${clockTime(ms)}:${two(new Date(ms).getSeconds())}`

export interface Minute {
  /** Start of the minute in ms. */
  at: number
  messages: number
  flags: number
}

export const minutesOf = ({ from, messages, flags }: MessageRate): Minute[] =>
  messages.map((count, index) => ({ at: from + index * 60_000, messages: count, flags: flags[index] ?? 0 }))

export interface Summary {
  min: number
  max: number
  average: number
  now: number
  /** Sum over all minutes. */
  messages: number
  flags: number
}

/** The current minute is incomplete: it counts for the maximum, but not for minimum and average. */
export function summaryOf(minutes: readonly Minute[]): Summary {
  const complete = minutes.slice(0, -1).map(({ messages }) => messages)
  const now = minutes.at(-1)?.messages ?? 0
  const sum = complete.reduce((total, messages) => total + messages, 0)
  return {
    min: Math.min(...complete),
    max: Math.max(now, ...complete),
    average: complete.length === 0 ? now : Math.round(sum / complete.length),
    now,
    messages: minutes.reduce((total, { messages }) => total + messages, 0),
    flags: minutes.reduce((total, { flags }) => total + flags, 0),
  }
}

export function countsText({ messages, flags }: Minute): string {
  const texts = monitoringTexts.rate
  const sent = `${formatNumber(messages)} ${plural(messages, texts.messageCount)}`
  return texts.numbers(sent, texts.flaggedCount(formatNumber(flags)))
}

/** For example '14:16: 15 messages, 0 flagged'. */
export const minuteText = (minute: Minute): string => monitoringTexts.rate.at(clockTime(minute.at), countsText(minute))

/**
 * Index that a key moves the cursor to among `length` minutes; undefined for other keys. Without a cursor, arrow keys
 * start at the last minute.
 */
export function moveCursor(key: string, index: number | undefined, length: number): number | undefined {
  const last = length - 1
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -10,
    PageUp: 10,
  }
  if (key === 'Home') return 0
  if (key === 'End') return last
  const step = steps[key]
  if (step === undefined) return undefined
  return index === undefined ? last : Math.min(last, Math.max(0, index + step))
}
