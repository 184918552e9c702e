import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { version, LegalLinks } from '../app/screens/FooterLinks.tsx'
import { aboutTexts as texts } from '../features/about/texts.ts'
import { Section } from '../ui/section/Section.tsx'
import { MemberPage } from './member/MemberPage.tsx'
import '../ui/badge/badge.css'
import '../features/legal/document.css'

const licence = 'https://www.apache.org/licenses/LICENSE-2.0'

export function About() {
  const server = useQuery<{ version: string }>({ queryKey: ['/api/health'] }).data?.version
  const { product, features, audiences, compliance, contact } = texts
  return (
    <MemberPage title={texts.title} lead={texts.lead}>
      <Section title={product.title} lead={product.lead}>
        <div className="about-list">
          <p>{product.text}</p>
          <p>
            {product.version}: <b>{version}</b>
          </p>
          {server !== undefined && `v${server}` !== version && (
            <p>
              {product.server}: v{server}
            </p>
          )}
          <p>
            {product.licence}:{' '}
            <a href={licence} rel="noreferrer">
              Apache 2.0
            </a>
          </p>
        </div>
      </Section>
      <Section title={features.title}>
        <ul className="about-list">
          {features.list.map(({ title, text }) => (
            <li key={title}>
              <b>{title}</b>
              {text}
            </li>
          ))}
        </ul>
      </Section>
      <Section title={audiences.title}>
        <ul className="about-list">
          {audiences.list.map((audience) => (
            <li key={audience}>{audience}</li>
          ))}
        </ul>
      </Section>
      <Section title={compliance.title} lead={compliance.lead}>
        <ul className="about-list about-badges">
          {compliance.list.map(({ badge, text }) => (
            <li key={badge}>
              <Link className="badge badge-outline" href="/threat-model">
                {badge}
              </Link>
              <p>{text}</p>
            </li>
          ))}
        </ul>
        <p className="about-more">
          <Link href="/threat-model">{compliance.more}</Link>
        </p>
      </Section>
      <Section title={contact.title}>
        <p>{contact.text}</p>
        <p className="about-more">
          <Link href="/help-support">{contact.support}</Link>
        </p>
      </Section>
      <Section title={texts.legal}>
        <LegalLinks />
      </Section>
    </MemberPage>
  )
}
