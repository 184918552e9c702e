import { useEffect, useState } from 'react'

/**
 * Id of the current section: the first whose end is below the upper third of the window. At the top it is the first, at
 * the bottom the last.
 */
export function useCurrentSection(sections: readonly { id: string }[]): string | undefined {
  const [current, setCurrent] = useState(sections[0]?.id)
  useEffect(() => {
    function look() {
      const line = innerHeight / 3
      const seen =
        scrollY > 0 &&
        sections.find(({ id }) => (document.getElementById(id)?.getBoundingClientRect().bottom ?? 0) > line)
      const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2 && scrollY > 0
      setCurrent((isAtEnd ? sections.at(-1) : seen || sections[0])?.id)
    }
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [sections])
  return current
}
