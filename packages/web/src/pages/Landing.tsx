import { Link } from 'wouter'
import { LanguageSwitch, LegalLinks, version } from '../app/screens/FooterLinks.tsx'
import { OpenedLinkNotice } from '../app/screens/OpenedLinkNotice.tsx'
import { Page } from '../app/screens/Page.tsx'
import { SessionEndNotice } from '../app/screens/SessionEndNotice.tsx'
import { CutWord, narrowCut, wideCut } from '../features/landing/CutWord.tsx'
import { Features } from '../features/landing/Features.tsx'
import { landingTexts as texts } from '../features/landing/texts.ts'
import { Brand } from '../ui/brand/Brand.tsx'
import { buttonClass } from '../ui/button/Button.tsx'
import { SkipLink } from '../ui/SkipLink.tsx'
import { useFounderTaps } from '../features/landing/founderTaps.ts'
import './landing.css'

/** The hash opens /auth at sign-up, even before any script has run. */
const toSignUp = '/auth#sign-up'
const word = 'PRIVITY'

export function Landing() {
  const onLogo = useFounderTaps()
  return (
    <Page title={texts.title}>
      <div className="land">
        <SkipLink />
        <SessionEndNotice />
        <OpenedLinkNotice />
        <header className="frame land-top">
          <Brand onClick={onLogo} />
          <nav className="end" aria-label={texts.account}>
            <Link className={buttonClass({ variant: 'ghost' })} href="/auth">
              {texts.signIn}
            </Link>
            <Link className={buttonClass({ variant: 'primary' })} href={toSignUp}>
              {texts.getStarted}
            </Link>
          </nav>
        </header>
        <main id="main" tabIndex={-1}>
          <section>
            <div className="frame hero">
              <div>
                <h1>{texts.headline}</h1>
                <p className="lead">{texts.lead}</p>
                <div className="cta">
                  <Link className={buttonClass({ variant: 'primary', size: 'lg' })} href={toSignUp}>
                    {texts.signUp}
                  </Link>
                  <span className="muted">{texts.codeAtOnce}</span>
                </div>
              </div>
              <dl className="entry">
                <dt>{texts.definition.word}</dt>
                <dd>
                  <small>{texts.definition.kind}</small>
                  {texts.definition.meaning}
                </dd>
              </dl>
            </div>
            <CutWord
              text={word}
              className="chiro-d"
              width={1440}
              height={272}
              mid={126}
              teeth={wideCut}
              baseline={218}
              fontSize={248}
              textLength={1200}
            />
            <CutWord
              text={word}
              className="chiro-m"
              width={390}
              height={124}
              mid={64}
              teeth={narrowCut}
              baseline={89}
              fontSize={70}
              textLength={344}
            />
          </section>
          <Features />
          <section className="sec-band">
            <div className="frame sec-grid">
              <h2>{texts.security.title}</h2>
              <dl className="blurbs">
                {texts.security.blurbs.map(({ term, text }) => (
                  <div key={term}>
                    <dt>{term}</dt>
                    <dd>{text}</dd>
                  </div>
                ))}
              </dl>
            </div>
          </section>
          <section className="close-band">
            <div className="frame close-in">
              <h2>{texts.closing}</h2>
              <Link className={buttonClass({ variant: 'primary', size: 'lg' })} href={toSignUp}>
                {texts.getStarted}
              </Link>
            </div>
          </section>
        </main>
        <footer className="land-foot">
          <div className="frame foot">
            <span>{texts.version(version)}</span>
            <LegalLinks />
            <LanguageSwitch />
          </div>
        </footer>
      </div>
    </Page>
  )
}
