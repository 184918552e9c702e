/** Letters of the scripts that are written from right to left: the blocks that Unicode keeps for them. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** First strong isolate, and its end: what <bdi> is for elements. */
const isolated = (value: unknown): unknown =>
  typeof value === 'string' && rightToLeft.test(value) ? `\u2068${value}\u2069` : value

const isNested = (texts: unknown): texts is object =>
  typeof texts === 'object' && texts !== null && !Array.isArray(texts)

/**
 * Texts in which what is filled into a sentence, such as a name in Arabic, keeps its own direction and leaves the words
 * around it where they are. Texts without such a value are the same, character for character.
 */
export function isolating<T>(texts: T): T {
  if (typeof texts === 'function')
    return ((...given: unknown[]) => (texts as (...values: unknown[]) => unknown)(...given.map(isolated))) as T
  if (!isNested(texts)) return texts
  return Object.fromEntries(Object.entries(texts).map(([name, each]) => [name, isolating(each)])) as T
}
