import { useMemo } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

/** The query string of the address. */
export function useAddressQuery(): URLSearchParams {
  const search = useSearch()
  return useMemo(() => new URLSearchParams(search), [search])
}

/**
 * Sets the given query parameters and keeps the others; undefined or empty removes one. Use `replace` for typed input,
 * so that the back button does not step through each keystroke.
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
