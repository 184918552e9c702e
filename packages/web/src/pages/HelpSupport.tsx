import { useClient } from '../app/session.ts'
import { Contact } from '../features/support/Contact.tsx'
import { Documentation } from '../features/support/Documentation.tsx'
import { Faq } from '../features/support/faq/Faq.tsx'
import { OwnRequests } from '../features/support/OwnRequests.tsx'
import { SupportForm } from '../features/support/SupportForm.tsx'
import { SystemStatus } from '../features/support/SystemStatus.tsx'
import { supportTexts as texts } from '../features/support/texts.ts'
import { MemberPage } from './member/MemberPage.tsx'

export function HelpSupport() {
  const client = useClient()
  return (
    <MemberPage title={texts.title} lead={texts.lead}>
      <Faq />
      <SupportForm client={client} />
      <OwnRequests client={client} />
      <Contact client={client} />
      <Documentation />
      <SystemStatus client={client} />
    </MemberPage>
  )
}
