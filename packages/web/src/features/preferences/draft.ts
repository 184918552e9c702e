import type { Preferences } from '@privity/contract/preferences'

/** Returns only values that differ from the saved ones: a reverted choice is no change. */
export function changesOf(saved: Preferences, draft: Partial<Preferences>): Partial<Preferences> {
  const keys = Object.keys(draft) as (keyof Preferences)[]
  return Object.fromEntries(keys.filter((key) => draft[key] !== saved[key]).map((key) => [key, draft[key]]))
}
