/**
 * Measures all of `all` in each of `count` turns, in sequence; the starting position rotates, so that none always
 * follows the same one. Variations of the machine's speed affect all alike.
 */
export async function inTurns<T, R>(
  all: readonly T[],
  count: number,
  measure: (one: T, turn: number) => Promise<R>,
): Promise<Map<T, R[]>> {
  const results = new Map<T, R[]>(all.map((one) => [one, []]))
  for (let turn = 0; turn < count; turn++)
    for (let k = 0; k < all.length; k++) {
      const one = all[(turn + k) % all.length] as T
      results.get(one)?.push(await measure(one, turn))
    }
  return results
}
