/**
 * What each of `all` gives in each of `count` turns, one after the other; every turn begins with another of them, so
 * that none always follows the same. What else the machine does, and how fast it is just then, falls on all alike.
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
