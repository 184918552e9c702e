import { createStore, type Store } from '@privity/client/store'
import { defaultLanguage, type Language, languages, languageTag } from '@privity/contract/languages'

export type { Translation } from '../ui/translation.ts'

/** public/theme.js reads the same key before the first paint. */
const key = 'privity.language'

const shown = createStore<Language>(defaultLanguage)
let wanted: Language = defaultLanguage
let loadTranslations: (() => Promise<{ speak: (language: Language) => void }>) | undefined

/** The current language of the texts. */
export const language: Store<Language> = shown

/** Switches all texts to this language; the current one remains if loading fails. */
export async function speak(next: Language): Promise<void> {
  wanted = next
  if (next === shown.get() || !loadTranslations) return
  try {
    const translations = await loadTranslations()
    if (wanted !== next) return
    translations.speak(next)
  } catch (error) {
    console.error(error)
    return
  }
  if (typeof document !== 'undefined') document.documentElement.lang = next
  shown.set(next)
}

/** Starts in the language that public/theme.js has chosen, before the first render. */
export async function startLanguage(load: NonNullable<typeof loadTranslations>): Promise<void> {
  loadTranslations = load
  if (typeof document === 'undefined') return
  const address = new URL(location.href)
  if (address.searchParams.has('language')) {
    address.searchParams.delete('language')
    history.replaceState(history.state, '', address)
  }
  await speak(languages.find((each) => each === document.documentElement.lang) ?? defaultLanguage)
}

let changing: Promise<void> = Promise.resolve()

/** Resolves when the texts are in the language chosen last. */
export const languageChosen = (): Promise<void> => changing

/** Switches to this language and stores it for this browser. */
export function chooseLanguage(next: Language): void {
  try {
    localStorage.setItem(key, next)
  } catch {
    // Storage is blocked: the next start reads the language from the account.
  }
  changing = speak(next)
}

let errorTranslations: Partial<Record<string, string>> | undefined

/** Sets translations of error messages by code; without one, the server's message is shown. */
export function setErrorTranslations(next: typeof errorTranslations): void {
  errorTranslations = next
}

/** The translated error message; undefined in English, the language of the server's own messages. */
export const translateError = (code: string): string | undefined => errorTranslations?.[code]

/** Formats a number in the current language. */
export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(languageTag(shown.get()), options).format(value)
}

/** Picks the singular or plural form for a number. A language with more forms would need more keys. */
export function plural(count: number, forms: { one: string; other: string }): string {
  return new Intl.PluralRules(languageTag(shown.get())).select(count) === 'one' ? forms.one : forms.other
}
