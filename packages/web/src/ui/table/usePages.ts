import { useState } from 'react'

/**
 * The way through a list that is fetched page by page, each from the end of the one before. Back at the first page
 * as soon as `list`, which names what is listed and in which order, is another one.
 */
export function usePages(list: string) {
  const [gone, setGone] = useState<{ list: string; ends: readonly string[] }>({ list, ends: [] })
  const ends = gone.list === list ? gone.ends : []
  return {
    /** Where the page before this one ends; undefined on the first. */
    after: ends.at(-1),
    page: ends.length + 1,
    toPrevious: () => setGone({ list, ends: ends.slice(0, -1) }),
    toNext: (end: string) => setGone({ list, ends: [...ends, end] }),
  }
}
