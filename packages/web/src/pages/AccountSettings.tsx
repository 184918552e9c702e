import { useClient, useUser } from '../core/session.ts'
import { Overview } from '../features/account/Overview.tsx'
import { ProfileForm } from '../features/account/ProfileForm.tsx'
import { accountTexts as texts } from '../features/account/texts.ts'
import { Section } from '../ui/Section.tsx'
import { MemberPage } from './member/MemberPage.tsx'

export function AccountSettings() {
  const client = useClient()
  const user = useUser()
  return (
    <MemberPage title={texts.title} lead={texts.lead}>
      <Section title={texts.profile.title} lead={texts.profile.lead}>
        <ProfileForm client={client} user={user} />
      </Section>
      <Section title={texts.overview.title}>
        <Overview client={client} user={user} />
      </Section>
    </MemberPage>
  )
}
