import { useLayoutEffect } from 'react'

/** Sets the document's title and returns it. A <title> element would be a second one beside that of index.html. */
export function useTitle(title: string): string {
  const name = `${title} · Privity`
  useLayoutEffect(() => {
    document.title = name
  }, [name])
  return name
}
