import type { ReasonKind } from './texts.ts'

const words: readonly [RegExp, ReasonKind][] = [
  [/rapid/i, 'rapid'],
  [/bulk/i, 'bulk'],
  [/repeat/i, 'repeated'],
]

/** The rule that a flag's reason names. */
export const reasonKind = (flagReason: string): ReasonKind =>
  words.find(([word]) => word.test(flagReason))?.[1] ?? 'manual'

const previewCharacters = 100

/** The first 100 characters, counted by code points. */
export function previewOf(text: string): string {
  const characters = Array.from(text)
  return characters.length > previewCharacters ? `${characters.slice(0, previewCharacters).join('')}…` : text
}
