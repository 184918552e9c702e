import type { FaqEntry } from './texts.ts'

/** The entries whose question or answer contains the text, whatever its case; all of them for a blank one. */
export function searchFaq(entries: readonly FaqEntry[], text: string): readonly FaqEntry[] {
  const wanted = text.trim().toLowerCase()
  return entries.filter(({ question, answer }) =>
    [question, answer].some((each) => each.toLowerCase().includes(wanted)),
  )
}
