/** Texts of a feature in another language: the same keys and kinds as the English object. */
export type Translation<T> = T extends string
  ? string
  : T extends (...args: infer Args) => infer Result
    ? (...args: Args) => Translation<Result>
    : { readonly [Name in keyof T]: Translation<T[Name]> }

/** Characters of the Unicode blocks for right-to-left scripts. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Wraps a right-to-left text in First Strong Isolate and Pop Directional Isolate, as <bdi> does for elements. */
const isolated = (value: unknown): unknown =>
  typeof value === 'string' && rightToLeft.test(value) ? `\u2068${value}\u2069` : value

const isNested = (texts: unknown): texts is object =>
  typeof texts === 'object' && texts !== null && !Array.isArray(texts)

/**
 * Isolates right-to-left values that are inserted into a text, such as an Arabic name, so that they do not reorder the
 * words around them. Other texts remain unchanged.
 */
export function isolating<T>(texts: T): T {
  if (typeof texts === 'function')
    return ((...args: unknown[]) => (texts as (...values: unknown[]) => unknown)(...args.map(isolated))) as T
  if (!isNested(texts)) return texts
  return Object.fromEntries(Object.entries(texts).map(([name, each]) => [name, isolating(each)])) as T
}
