import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { Fact } from '../../ui/panel/Fact.tsx'
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
        <Fact label={texts.email}>
          {email ? <a href={`mailto:${email}`}>{email}</a> : email === null && texts.noEmail}
        </Fact>
        <Fact label={texts.chat}>
          <b>{texts.chatHours}</b>
          <p className="hint">{texts.chatNone}</p>
        </Fact>
        <Fact label={texts.response}>{email === null ? texts.responseTarget : texts.responseText}</Fact>
      </dl>
    </Section>
  )
}
