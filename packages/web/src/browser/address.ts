import { useMemo } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

/** What stands after the `?` of the address. */
export function useAddressQuery(): URLSearchParams {
  const search = useSearch()
  return useMemo(() => new URLSearchParams(search), [search])
}

/**
 * Changes what is named and leaves the rest; what becomes undefined or empty is taken out. `replace` for what is
 * typed: the back button then leads to the page before and not through each word.
 */
export function changeAddressQuery(changes: Record<string, string | undefined>, replace = false): void {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  const text = query.toString()
  navigate(text ? `${location.pathname}?${text}` : location.pathname, { replace })
}
