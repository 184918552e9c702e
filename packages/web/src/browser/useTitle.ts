import { useLayoutEffect } from 'react'

/** Names the document; answers the whole name. An element would be a second one beside that of index.html. */
export function useTitle(title: string): string {
  const name = `${title} · Privity`
  useLayoutEffect(() => {
    document.title = name
  }, [name])
  return name
}
