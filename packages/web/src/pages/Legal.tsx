import { ArrowLeft } from 'lucide-react'
import { Link } from 'wouter'
import { language } from '../i18n/language.ts'
import { LanguageSwitch, LegalLinks } from '../app/screens/FooterLinks.tsx'
import { Page } from '../app/screens/Page.tsx'
import { useSession } from '../app/session.ts'
import { Document, type DocumentName, documentText } from '../features/legal/Document.tsx'
import { legalTexts as texts } from '../app/texts.ts'
import { Brand } from '../ui/brand/Brand.tsx'
import { SkipLink } from '../ui/SkipLink.tsx'

function Legal({ name }: { name: DocumentName }) {
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
          <Document markdown={documentText(name, language.get())} />
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
