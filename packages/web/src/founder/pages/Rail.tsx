import { useEffect, useState } from 'react'
import { consoleTexts as texts } from '../console/texts.ts'
import type { Section } from './sections.ts'

/**
 * Id of the current section: the first whose end is below the upper third of the window. At the top it is the first, at
 * the bottom the last.
 */
function useCurrentSection(sections: readonly Section[]): string | undefined {
  const [current, setCurrent] = useState(sections[0]?.id)
  useEffect(() => {
    function update() {
      const line = innerHeight / 3
      const isScrolled = scrollY > 0
      const isBelowLine = ({ id }: Section) => (document.getElementById(id)?.getBoundingClientRect().bottom ?? 0) > line
      const isAtEnd = isScrolled && innerHeight + scrollY >= document.documentElement.scrollHeight - 2
      const section = isAtEnd ? sections.at(-1) : (isScrolled && sections.find(isBelowLine)) || sections[0]
      setCurrent(section?.id)
    }
    update()
    addEventListener('scroll', update, { passive: true })
    addEventListener('resize', update)
    return () => {
      removeEventListener('scroll', update)
      removeEventListener('resize', update)
    }
  }, [sections])
  return current
}

/** Links to the sections: beside them, or in a row above if the window is narrow. */
export function Rail({ sections }: { sections: readonly Section[] }) {
  const current = useCurrentSection(sections)
  return (
    <nav className="rail" aria-label={texts.sections}>
      {sections.map(
        ({ id, label, icon: Icon, Count }) =>
          Icon && (
            <a key={id} href={`#${id}`} aria-current={id === current || undefined}>
              <Icon className="ic" />
              {label}
              {Count && <Count />}
            </a>
          ),
      )}
      <p className="foot subtle">
        {texts.polls.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </p>
    </nav>
  )
}
