import { useCurrentSection } from './useCurrentSection.ts'
import { consoleTexts as texts } from '../console/texts.ts'
import type { Section } from './sections.ts'

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
