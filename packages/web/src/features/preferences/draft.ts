import type { Preferences } from '@privity/contract/preferences'

/** Only what differs from what is saved: a choice taken back is no change. */
export function changesOf(saved: Preferences, draft: Partial<Preferences>): Partial<Preferences> {
  const keys = Object.keys(draft) as (keyof Preferences)[]
  return Object.fromEntries(keys.filter((key) => draft[key] !== saved[key]).map((key) => [key, draft[key]]))
}
