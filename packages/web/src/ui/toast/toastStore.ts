import { createStore, type Store } from '@privity/client/store'

export type ToastTone = 'success' | 'info' | 'warning' | 'destructive' | 'critical'

export interface ToastContent {
  title: string
  description?: string
  /** `success` by default. `destructive` reports a failure; `critical` looks the same but stays twice as long. */
  tone?: ToastTone
  /** Stays when the page or conversation changes, because the toast does not belong to it or causes the change. */
  stays?: boolean
  /** Announces an event: see `dismissAnnouncement`. */
  announces?: boolean
}

export interface ShownToast extends ToastContent {
  key: number
  tone: ToastTone
  /** Duration in ms. */
  life: number
  paused: boolean
}

const life = 5_000
const criticalLife = 10_000

const shown = createStore<ShownToast | undefined>(undefined)
export const toasts: Store<ShownToast | undefined> = shown
let keys = 0
let remaining = 0
let startedAt = 0
let timer: ReturnType<typeof setTimeout> | undefined
/** The newest information that came during a critical toast; it follows. */
let waiting: ToastContent | undefined

function run() {
  startedAt = Date.now()
  clearTimeout(timer)
  timer = setTimeout(dismissToast, remaining)
}

/** Shows a toast, which replaces the current one; mere information waits until a critical one is gone. */
export function toast(content: ToastContent): void {
  const tone = content.tone ?? 'success'
  if (tone === 'info' && shown.get()?.tone === 'critical') {
    waiting = content
    return
  }
  keys += 1
  remaining = tone === 'critical' ? criticalLife : life
  run()
  shown.set({ ...content, key: keys, tone, life: remaining, paused: false })
}

export function dismissToast(): void {
  clearTimeout(timer)
  shown.set(undefined)
  if (!waiting) return
  const next = waiting
  waiting = undefined
  toast(next)
}

/** Dismisses the toast of a page or conversation that was left, unless it stays. */
export function leaveToast(): void {
  if (!waiting?.stays) waiting = undefined
  if (!shown.get()?.stays) dismissToast()
}

/**
 * Dismisses the toast of an event. Call it when something opens that shows the event itself, or that it would cover.
 */
export function dismissAnnouncement(): void {
  if (shown.get()?.announces) dismissToast()
}

/** Pauses the timer of the shown toast, for example while it is hovered or focused. */
export function pauseToast(): void {
  const current = shown.get()
  if (!current || current.paused) return
  clearTimeout(timer)
  remaining = Math.max(0, remaining - (Date.now() - startedAt))
  shown.set({ ...current, paused: true })
}

export function resumeToast(): void {
  const current = shown.get()
  if (!current?.paused) return
  run()
  shown.set({ ...current, paused: false })
}

/** Events of the router and, for Back and Forward, of the browser. */
const moves = ['pushState', 'replaceState', 'popstate']

/** Dismisses a toast when the page or the open conversation changes. */
export function endToastsWithPlace(placeOf: () => string): void {
  let place = placeOf()
  for (const move of moves)
    addEventListener(move, () => {
      const next = placeOf()
      if (next !== place) leaveToast()
      place = next
    })
}
