import { durationWords, type Language, languages } from '@privity/contract/languages'
import { limits } from '@privity/contract/limits'
import { language } from './language.ts'

/** The server writes its message retention into its pages if it is shorter than the product's. */
function retentionOfPage(): number {
  const set = typeof document === 'undefined' ? undefined : document.documentElement.dataset.retention
  return set === undefined ? limits.retention : Math.min(Number(set), limits.retention)
}

/** Lifetime of a message on this server, in milliseconds. */
export const retention = retentionOfPage()

/** A time in words of the current language. */
export const durationText = (ms: number): string => durationWords(ms, language.get())

/** Lifetime of a message on this server, in words of each language. */
export const lifetime = Object.fromEntries(
  languages.map((language) => [language, durationWords(retention, language)]),
) as Record<Language, string>
