import { limits } from '@privity/contract/limits'
import { isVisible } from '@privity/contract/visible'
import { characters } from './characters.ts'

/** Together with other messages of the same minute, more parts would look like rapid sending (`rapidMessages`). */
export const maxParts = 15

/** Index of the UTF-16 unit after this many characters. */
const unitsOf = (text: string, count: number) =>
  Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('').length

const endsOf = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), (end) => end.index + end[0].length)

function startsOf(
  text: string,
  granularity: 'grapheme' | 'word' | 'sentence',
  counts?: (segment: Intl.SegmentData) => boolean,
) {
  // Firefox before 125.
  if (typeof Intl.Segmenter !== 'function') return []
  const segments = Array.from(new Intl.Segmenter(undefined, { granularity }).segment(text))
  return segments.filter((segment) => counts?.(segment) ?? true).map(({ index }) => index)
}

/** Index at which the first part of a text of more than `limit` characters ends, with the space after it. */
function endOfPart(text: string, limit: number): number {
  const max = unitsOf(text, limit)
  const view = text.slice(0, 2 * max)
  const graphemes = new Set(startsOf(view, 'grapheme'))
  /** The last of these ends that leaves at least `least` and at most `limit` characters before it. */
  const last = (ends: readonly number[], least: number) =>
    ends.findLast((end) => {
      const length = view.slice(0, end).trimEnd().length
      return length > least && length <= max && (graphemes.size === 0 || graphemes.has(end))
    })
  return (
    last(endsOf(view, /\n\s*/g), max / 2) ??
    last(startsOf(view, 'sentence'), max / 2) ??
    last(endsOf(view, /\s+/g), 0) ??
    last(
      startsOf(view, 'word', ({ isWordLike }) => isWordLike === true),
      0,
    ) ??
    last([...graphemes], 0) ??
    max
  )
}

/**
 * Divides a text into parts of at most `limit` characters, to be sent in order, each trimmed. They end with a paragraph
 * or sentence if that fills half of the part, else with a word, and together are the text. None for a blank text; at
 * most one more than `maxParts`.
 */
export function splitText(text: string, limit: number = limits.messageCharacters): string[] {
  const parts: string[] = []
  let rest = text.trim()
  // Enough of the rest to tell: each character has at most two units.
  while (parts.length < maxParts && characters(rest.slice(0, 2 * limit + 1)) > limit) {
    const end = endOfPart(rest, limit)
    parts.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...parts, rest].filter(isVisible)
}
