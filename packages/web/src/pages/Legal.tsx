import { ArrowLeft } from 'lucide-react'
import { Link } from 'wouter'
import threatModelDe from '../../../../docs/threat-model.de.md?raw'
import threatModelEn from '../../../../docs/threat-model.md?raw'
import { language } from '../i18n/language.ts'
import { LanguageSwitch } from '../app/screens/LanguageSwitch.tsx'
import { Page } from '../app/screens/Page.tsx'
import { useSession } from '../app/session.ts'
import { Document } from '../features/legal/Document.tsx'
import { LegalLinks } from '../features/legal/LegalLinks.tsx'
import privacyDe from '../features/legal/privacy.de.md?raw'
import privacyEn from '../features/legal/privacy.en.md?raw'
import termsDe from '../features/legal/terms.de.md?raw'
import termsEn from '../features/legal/terms.en.md?raw'
import { legalTexts as texts } from '../features/legal/texts.ts'
import { Brand } from '../ui/brand/Brand.tsx'
import { SkipLink } from '../ui/SkipLink.tsx'

const documents = {
  terms: { en: termsEn, de: termsDe },
  privacy: { en: privacyEn, de: privacyDe },
  threatModel: { en: threatModelEn, de: threatModelDe },
}

function Legal({ name }: { name: keyof typeof documents }) {
  const visitor = useSession().status === 'signedOut'
  return (
    <Page key={name} title={texts[name]}>
      <SkipLink />
      <div className="doc-page">
        <header>
          <div className="doc-top">
            <Brand />
            {visitor && <LanguageSwitch />}
          </div>
          <p className="doc-back">
            <Link href="/">
              <ArrowLeft className="ic" />
              {visitor ? texts.toLanding : texts.toApplication}
            </Link>
          </p>
        </header>
        <main id="main" tabIndex={-1}>
          <Document markdown={documents[name][language.get()]} />
        </main>
        <footer className="doc-foot">
          <LegalLinks />
        </footer>
      </div>
    </Page>
  )
}

export const Terms = () => <Legal name="terms" />
export const Privacy = () => <Legal name="privacy" />
export const ThreatModel = () => <Legal name="threatModel" />
