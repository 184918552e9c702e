export type ToastTone = 'success' | 'info' | 'warning' | 'destructive' | 'critical'

export interface ToastContent {
  title: string
  description?: string
  /** Default success. `destructive` is a failure; `critical` looks the same and stays twice as long. */
  tone?: ToastTone
  /** Stays when its page or conversation is left: it is about neither, or leads away itself. */
  stays?: boolean
}

export interface ShownToast extends ToastContent {
  key: number
  tone: ToastTone
  /** Milliseconds it stays. */
  life: number
  paused: boolean
}

const life = 5_000
const criticalLife = 10_000

let shown: ShownToast | undefined
let keys = 0
let remaining = 0
let startedAt = 0
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function change(next: ShownToast | undefined) {
  shown = next
  for (const listener of listeners) listener()
}

function run() {
  startedAt = Date.now()
  clearTimeout(timer)
  timer = setTimeout(dismissToast, remaining)
}

/** Shows a toast; one at a time, the newest replaces the one before. */
export function toast(content: ToastContent): void {
  const tone = content.tone ?? 'success'
  keys += 1
  remaining = tone === 'critical' ? criticalLife : life
  run()
  change({ ...content, key: keys, tone, life: remaining, paused: false })
}

export function dismissToast(): void {
  clearTimeout(timer)
  if (shown) change(undefined)
}

/** Ends the toast of a page or conversation that is left. */
export function leaveToast(): void {
  if (!shown?.stays) dismissToast()
}

/** Stops the clock of the shown toast, as while it is hovered or focused. */
export function pauseToast(): void {
  if (!shown || shown.paused) return
  clearTimeout(timer)
  remaining = Math.max(0, remaining - (Date.now() - startedAt))
  change({ ...shown, paused: true })
}

export function resumeToast(): void {
  if (!shown?.paused) return
  run()
  change({ ...shown, paused: false })
}

export const toasts = {
  get: (): ShownToast | undefined => shown,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
