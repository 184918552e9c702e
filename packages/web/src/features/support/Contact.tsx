import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { Section } from '../../ui/section/Section.tsx'
import { supportEmailQuery } from './queries.ts'
import { supportTexts } from './texts.ts'
import './support.css'

export function Contact({ client }: { client: Client }) {
  const texts = supportTexts.contact
  const email = useQuery(supportEmailQuery(client)).data
  return (
    <Section title={texts.title} lead={texts.lead}>
      <dl className="support-facts">
        <div>
          <dt>{texts.email}</dt>
          <dd>{email ? <a href={`mailto:${email}`}>{email}</a> : email === null && texts.noEmail}</dd>
        </div>
        <div>
          <dt>{texts.chat}</dt>
          <dd>
            <b>{texts.chatHours}</b>
            <p className="hint">{texts.chatNone}</p>
          </dd>
        </div>
        <div>
          <dt>{texts.response}</dt>
          <dd>{email === null ? texts.responseTarget : texts.responseText}</dd>
        </div>
      </dl>
    </Section>
  )
}
