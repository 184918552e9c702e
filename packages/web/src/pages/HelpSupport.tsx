import { Link } from 'wouter'
import { useClient } from '../app/session.ts'
import { Contact } from '../features/support/Contact.tsx'
import { Faq } from '../features/support/faq/Faq.tsx'
import { OwnRequests } from '../features/support/OwnRequests.tsx'
import { Secrets } from '../features/support/secrets/Secrets.tsx'
import { SupportForm } from '../features/support/SupportForm.tsx'
import { SystemStatus } from '../features/support/SystemStatus.tsx'
import { supportTexts as texts } from '../features/support/texts.ts'
import { MemberPage } from './member/MemberPage.tsx'
import { Section } from '../ui/section/Section.tsx'
import '../features/support/support.css'

export function HelpSupport() {
  const client = useClient()
  return (
    <MemberPage title={texts.title} lead={texts.lead}>
      <Faq />
      <Secrets />
      <SupportForm client={client} />
      <OwnRequests client={client} />
      <Contact client={client} />
      <Documentation />
      <SystemStatus client={client} />
    </MemberPage>
  )
}

function Documentation() {
  const { title, lead, links, api } = texts.docs
  return (
    <Section title={title} lead={lead}>
      <ul className="support-docs">
        {links.map(({ href, label, text }) => (
          <li key={href}>
            <Link href={href}>{label}</Link>
            <span className="hint">{text}</span>
          </li>
        ))}
        <li>
          <a href={api.href}>{api.label}</a>
          <span className="hint">{api.text}</span>
        </li>
      </ul>
    </Section>
  )
}
