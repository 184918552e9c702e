/** Numbers in rising order, written as 1-5,8,10-12. */
export interface Ranges {
  add(number: number): void
  size(): number
  toString(): string
}

export function createRanges(): Ranges {
  const ranges: [number, number][] = []
  let size = 0
  return {
    add(number) {
      size += 1
      const last = ranges.at(-1)
      if (last?.[1] === number - 1) last[1] = number
      else ranges.push([number, number])
    },
    size: () => size,
    toString: () => ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(),
  }
}

const parse = (text: string): number[] =>
  text === ''
    ? []
    : text.split(',').flatMap((range) => {
        const [from = '', to = from] = range.split('-')
        // The numbers at which membership changes: two lists first differ at the first of these that they do not share.
        return [Number(from), Number(to) + 1]
      })

/** Returns the first number that is in one list and not in the other. */
export function firstDifference(one: string, other: string): number | undefined {
  const [a, b] = [parse(one), parse(other)]
  const index = a.findIndex((change, i) => change !== b[i])
  if (index >= 0) return Math.min(a[index] as number, b[index] ?? Infinity)
  return b[a.length]
}
