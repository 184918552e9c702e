import type { ReadableStore } from '../ui/useStore.ts'

export type Language = 'en' | 'de'

export type { Translation } from '../ui/translation.ts'

/** public/theme.js reads the same key before the first paint. */
const key = 'privity.language'
const listeners = new Set<() => void>()
const tags = { en: 'en-US', de: 'de-DE' } as const

let current: Language = 'en'
let wanted: Language = 'en'
let loadGerman: (() => Promise<{ speak: (language: Language) => void }>) | undefined

/** The language that the texts are in now. */
export const language: ReadableStore<Language> = {
  get: () => current,
  subscribe(listener) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Puts the texts into this language; English stays where the others cannot be loaded. */
export async function speak(next: Language): Promise<void> {
  wanted = next
  if (next === current || !loadGerman) return
  try {
    const german = await loadGerman()
    if (wanted !== next) return
    german.speak(next)
  } catch (error) {
    console.error(error)
    return
  }
  current = next
  if (typeof document !== 'undefined') document.documentElement.lang = next
  for (const listener of listeners) listener()
}

/** Begins in the language that public/theme.js has found for this visitor, before anything is drawn. */
export async function startLanguage(load: NonNullable<typeof loadGerman>): Promise<void> {
  loadGerman = load
  if (typeof document === 'undefined') return
  const address = new URL(location.href)
  if (address.searchParams.has('language')) {
    address.searchParams.delete('language')
    history.replaceState(history.state, '', address)
  }
  await speak(document.documentElement.lang === 'de' ? 'de' : 'en')
}

let changing: Promise<void> = Promise.resolve()

/** Resolves when the texts are in the language that was chosen last. */
export const languageChosen = (): Promise<void> => changing

/** Speaks this language from now on, in this browser: what a member has set in one of them. */
export function chooseLanguage(next: Language): void {
  try {
    localStorage.setItem(key, next)
  } catch {
    // a storage that is closed: the choice is read from the account again
  }
  changing = speak(next)
}

let refusals: Partial<Record<string, string>> | undefined

/** The sentences for the server's refusals, by code; without them its own are shown. */
export function sayRefusalsIn(sentences: typeof refusals): void {
  refusals = sentences
}

/** A refusal in this language; undefined in English, which the server speaks itself. */
export const refusal = (code: string): string | undefined => refusals?.[code]

/** A number as this language writes it. */
export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(tags[current], options).format(value)
}

/** The form of a word that goes with this number. */
export function plural(count: number, forms: { one: string; other: string }): string {
  return new Intl.PluralRules(tags[current]).select(count) === 'one' ? forms.one : forms.other
}
