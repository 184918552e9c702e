import { language } from '../../i18n/language.ts'
import { coreTexts } from '../texts.ts'
import { useStore } from '../../ui/useStore.ts'
import './languageSwitch.css'

const names = { en: 'English', de: 'Deutsch' } as const

/** Language links for visitors: the server responds in the requested language, and public/theme.js stores it. */
export function LanguageSwitch() {
  const current = useStore(language)
  return (
    <nav className="langs" aria-label={coreTexts.language}>
      {(['en', 'de'] as const).map((each) => (
        <a
          key={each}
          href={`?language=${each}`}
          lang={each}
          hrefLang={each}
          aria-current={each === current || undefined}
        >
          {names[each]}
        </a>
      ))}
    </nav>
  )
}
