import { Link } from 'wouter'
import { languageName, languages } from '@privity/contract/languages'
import { language } from '../../i18n/language.ts'
import { coreTexts, legalTexts as texts } from '../texts.ts'
import { useStore } from '../../ui/useStore.ts'
import { version as number } from '../../../package.json'
import './footerLinks.css'

/** The version as displayed, for example v2.1.0. */
export const version = `v${number}`

/** Language links for visitors: the server responds in the requested language, and public/theme.js stores it. */
export function LanguageSwitch() {
  const current = useStore(language)
  return (
    <nav className="langs" aria-label={coreTexts.language}>
      {languages.map((each) => (
        <a
          key={each}
          href={`?language=${each}`}
          lang={each}
          hrefLang={each}
          aria-current={each === current || undefined}
        >
          {languageName(each)}
        </a>
      ))}
    </nav>
  )
}

export function LegalLinks() {
  return (
    <nav className="foot-links" aria-label={texts.legal}>
      <Link href="/terms">{texts.terms}</Link>
      <Link href="/privacy">{texts.privacy}</Link>
      <Link href="/threat-model">{texts.threatModel}</Link>
    </nav>
  )
}
