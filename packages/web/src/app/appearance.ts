import type { Preferences } from '@privity/contract/preferences'
import { type Formats, setFormats } from '../i18n/dateTime.ts'

/** Appearance on this device. An absent value follows the system or the default. */
interface Appearance {
  theme?: 'light' | 'dark'
  density?: 'comfortable' | 'compact'
  text?: 'small' | 'medium' | 'large'
  motion?: 'on' | 'off'
}

type StoredAppearance = Appearance & Partial<Formats>

/** The preferences that affect the first paint. */
export type AppearancePreferences = Pick<
  Preferences,
  'theme' | 'fontSize' | 'compactMode' | 'animationsEnabled' | 'dateFormat' | 'timeFormat'
>

/** public/theme.js reads the same key before the first paint. */
const key = 'privity.appearance'

let stored: StoredAppearance = {}
let preview: AppearancePreferences | undefined

/** Loads the stored appearance and follows changes made in other tabs. */
export function followAppearance(): void {
  stored = readStored()
  show()
  addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return
    stored = read(event.newValue)
    show()
  })
}

/** Shows an unsaved appearance in this tab only. Called without one, it shows the stored appearance again. */
export function previewAppearance(preferences?: AppearancePreferences): void {
  preview = preferences
  show()
}

/** Stores and shows the account's appearance, so that later pages have it at first paint, in every tab. */
export function storeAppearance(preferences: AppearancePreferences): void {
  stored = storedOf(preferences)
  show()
  try {
    localStorage.setItem(key, JSON.stringify(stored))
  } catch {
    // Storage is blocked: the appearance comes with the account, after the first paint.
  }
}

/** Removes the account's appearance, so that the next user of this browser does not see it. */
export function removeAppearance(): void {
  stored = {}
  preview = undefined
  show()
  try {
    localStorage.removeItem(key)
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

function storedOf({
  theme,
  fontSize,
  compactMode,
  animationsEnabled,
  dateFormat,
  timeFormat,
}: AppearancePreferences): StoredAppearance {
  return {
    ...(theme !== 'system' && { theme }),
    density: compactMode ? 'compact' : 'comfortable',
    text: fontSize,
    motion: animationsEnabled ? 'on' : 'off',
    dateFormat,
    timeFormat,
  }
}

function readStored(): StoredAppearance {
  try {
    return read(localStorage.getItem(key))
  } catch {
    return {}
  }
}

function read(text: string | null): StoredAppearance {
  try {
    return (JSON.parse(text ?? '{}') ?? {}) as StoredAppearance
  } catch {
    return {}
  }
}

function show(): void {
  const shown = preview ? storedOf(preview) : stored
  for (const name of ['theme', 'density', 'text', 'motion'] as const) {
    const value = shown[name]
    if (typeof value === 'string') document.documentElement.dataset[name] = value
    else delete document.documentElement.dataset[name]
  }
  setFormats(stored)
}
