import { limits } from '@privity/contract/limits'

const amberFrom = 450

/** Counts Unicode code points, as the protocol's limit does. */
export function characters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Look of the counter, by how close the text is to the limit. */
export function counterTone(count: number): 'calm' | 'near' | 'full' {
  if (count >= limits.messageCharacters) return 'full'
  return count >= amberFrom ? 'near' : 'calm'
}

/**
 * Cuts typed text to the limit like `maxlength`, but by code points. Removes the excess before the caret, so that the
 * text after it stays. `caret` counts UTF-16 units, as the DOM does.
 */
export function fitLimit(text: string, caret: number, limit: number = limits.messageCharacters) {
  const over = characters(text) - limit
  if (over <= 0) return { text, caret }
  const before = Array.from(text.slice(0, caret))
  const kept = before.slice(0, Math.max(0, before.length - over)).join('')
  const after = Array.from(text.slice(caret))
    .slice(0, limit - characters(kept))
    .join('')
  return { text: kept + after, caret: kept.length }
}
