import type { Rates, Rule } from './rateLimits.ts'

/** A rule, the key to count under, and how often; once by default. */
export type Count = readonly [rule: Rule, key: string, weight?: number]

/** Takes all counts, or none if one of them is used up; returns a function that takes them back. */
function takeAll(rates: Rates, counts: readonly Count[]): () => void {
  const uncounts: (() => void)[] = []
  const uncount = () => uncounts.forEach((uncountOne) => uncountOne())
  try {
    for (const [rule, key, weight] of counts) uncounts.push(rates.take(rule, key, weight))
    return uncount
  } catch (error) {
    uncount()
    throw error
  }
}

/** Runs `work`, counted in advance so that parallel calls cannot exceed the limit; only a success stays counted. */
export async function countSuccess<T>(rates: Rates, counts: readonly Count[], work: () => Promise<T>): Promise<T> {
  const uncount = takeAll(rates, counts)
  try {
    return await work()
  } catch (error) {
    uncount()
    throw error
  }
}

/** Runs `work`, counted in advance like `countSuccess`; only a failure that `isCounted` stays counted. */
export async function countFailure<T>(
  rates: Rates,
  counts: readonly Count[],
  isCounted: (error: unknown) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  const uncount = takeAll(rates, counts)
  try {
    const result = await work()
    uncount()
    return result
  } catch (error) {
    if (!isCounted(error)) uncount()
    throw error
  }
}
