import { useState } from 'react'

/**
 * Navigation through a list with cursor pagination. Returns to the first page when `list`, which identifies filter and
 * order, changes.
 */
export function usePages(list: string) {
  const [gone, setGone] = useState<{ list: string; ends: readonly string[] }>({ list, ends: [] })
  const ends = gone.list === list ? gone.ends : []
  return {
    /** End cursor of the previous page; undefined on the first page. */
    after: ends.at(-1),
    page: ends.length + 1,
    toPrevious: () => setGone({ list, ends: ends.slice(0, -1) }),
    toNext: (end: string) => setGone({ list, ends: [...ends, end] }),
  }
}
