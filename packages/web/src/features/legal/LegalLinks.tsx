import { Link } from 'wouter'
import { legalTexts as texts } from './texts.ts'
import '../../app/screens/languageSwitch.css'

export function LegalLinks() {
  return (
    <nav className="foot-links" aria-label={texts.legal}>
      <Link href="/terms">{texts.terms}</Link>
      <Link href="/privacy">{texts.privacy}</Link>
      <Link href="/threat-model">{texts.threatModel}</Link>
    </nav>
  )
}
