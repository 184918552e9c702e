import { type Language, languages } from '@privity/contract/languages'

/** Asked in the offered language, whose texts are not loaded yet. */
export const languageQuestion: Record<Language, string> = { en: 'Use English?', de: 'Deutsch verwenden?' }

/** The first of the browser's languages that the product speaks, if it is not the account's. */
export function offeredLanguage(preferred: readonly string[], current: Language | undefined): Language | undefined {
  const spoken = preferred.map((tag) => tag.slice(0, 2).toLowerCase())
  const first = languages.find((language) => language === spoken.find((tag) => languages.some((each) => each === tag)))
  return first === current ? undefined : first
}
