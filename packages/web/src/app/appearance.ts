import type { Preferences } from '@privity/contract/preferences'
import { type Formats, setFormats } from '../i18n/dateTime.ts'

/** Appearance on this device. An absent value follows the system or the default. */
interface Appearance {
  theme?: 'light' | 'dark'
  density?: 'comfortable' | 'compact'
  text?: 'small' | 'medium' | 'large'
  motion?: 'on' | 'off'
}

type Kept = Appearance & Partial<Formats>

/** The preferences that affect the first paint. */
export type Look = Pick<
  Preferences,
  'theme' | 'fontSize' | 'compactMode' | 'animationsEnabled' | 'dateFormat' | 'timeFormat'
>

/** public/theme.js reads the same key before the first paint. */
const key = 'privity.appearance'

let kept: Kept = {}
let preview: Look | undefined

/** Loads the stored appearance and follows changes made in other tabs. */
export function followAppearance(): void {
  kept = readKept()
  show()
  addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return
    kept = read(event.newValue)
    show()
  })
}

/** Shows an unsaved appearance in this tab only. Called without one, it shows the stored appearance again. */
export function previewLook(look?: Look): void {
  preview = look
  show()
}

/** Stores and shows the account's appearance, so that later pages have it at first paint, in every tab. */
export function keepLook(look: Look): void {
  kept = keptOf(look)
  show()
  try {
    localStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // Storage is blocked: the appearance comes with the account, after the first paint.
  }
}

/** Removes the account's appearance, so that the next user of this browser does not see it. */
export function forgetLook(): void {
  kept = {}
  preview = undefined
  show()
  try {
    localStorage.removeItem(key)
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

function keptOf({ theme, fontSize, compactMode, animationsEnabled, dateFormat, timeFormat }: Look): Kept {
  return {
    ...(theme !== 'system' && { theme }),
    density: compactMode ? 'compact' : 'comfortable',
    text: fontSize,
    motion: animationsEnabled ? 'on' : 'off',
    dateFormat,
    timeFormat,
  }
}

function readKept(): Kept {
  try {
    return read(localStorage.getItem(key))
  } catch {
    return {}
  }
}

function read(text: string | null): Kept {
  try {
    return (JSON.parse(text ?? '{}') ?? {}) as Kept
  } catch {
    return {}
  }
}

function show(): void {
  const shown = preview ? keptOf(preview) : kept
  for (const name of ['theme', 'density', 'text', 'motion'] as const) {
    const value = shown[name]
    if (typeof value === 'string') document.documentElement.dataset[name] = value
    else delete document.documentElement.dataset[name]
  }
  setFormats(kept)
}
