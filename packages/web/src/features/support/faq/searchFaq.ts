import type { FaqEntry } from './texts.ts'

/** Entries whose question or answer contains the text, ignoring case; all entries for a blank text. */
export function searchFaq(entries: readonly FaqEntry[], text: string): readonly FaqEntry[] {
  const wanted = text.trim().toLowerCase()
  return entries.filter(({ question, answer }) =>
    [question, answer].some((each) => each.toLowerCase().includes(wanted)),
  )
}
