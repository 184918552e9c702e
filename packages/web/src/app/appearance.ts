import type { Preferences } from '@privity/contract/preferences'
import { type Formats, setFormats } from '../i18n/dateTime.ts'

/** How the product looks on this device; what is absent follows the system or the default. */
interface Appearance {
  theme?: 'light' | 'dark'
  density?: 'comfortable' | 'compact'
  text?: 'small' | 'medium' | 'large'
  motion?: 'on' | 'off'
}

type Kept = Appearance & Partial<Formats>

/** The part of the preferences that is seen before anything else is known. */
export type Look = Pick<
  Preferences,
  'theme' | 'fontSize' | 'compactMode' | 'animationsEnabled' | 'dateFormat' | 'timeFormat'
>

/** public/theme.js reads the same key before the first paint. */
const key = 'privity.appearance'

let kept: Kept = {}
let preview: Look | undefined

/** Takes over what this browser keeps, and another tab's change at once. */
export function followAppearance(): void {
  kept = readKept()
  show()
  addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return
    kept = read(event.newValue)
    show()
  })
}

/** Shows a look that is not saved yet, in this tab only; without one, again what is kept. */
export function previewLook(look?: Look): void {
  preview = look
  show()
}

/** Keeps the account's look for the first paint of the next page, in every tab of this browser, and shows it. */
export function keepLook(look: Look): void {
  kept = keptOf(look)
  show()
  try {
    localStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // a closed storage: the look comes with the account, after the first paint
  }
}

/** Nothing of an account's look is left to whoever uses this browser next. */
export function forgetLook(): void {
  kept = {}
  preview = undefined
  show()
  try {
    localStorage.removeItem(key)
  } catch {
    // nothing was kept
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
