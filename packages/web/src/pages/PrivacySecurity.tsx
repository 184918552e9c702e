import { useClient, useUser } from '../app/session.ts'
import { usePreferencesLoad } from '../app/preferences/preferences.ts'
import { QueryError } from '../app/QueryError.tsx'
import { LockSetting } from '../features/lock/setting/LockSetting.tsx'
import { DataDownloads } from '../features/privacy/DataDownloads.tsx'
import { DataExport } from '../features/privacy/DataExport.tsx'
import { SecurityStatus } from '../features/privacy/SecurityStatus.tsx'
import { privacyTexts as texts } from '../features/privacy/texts.ts'
import { SecondFactorSection } from '../features/secondFactor/SecondFactorSection.tsx'
import { Section } from '../ui/section/Section.tsx'
import { MemberPage } from './member/MemberPage.tsx'
import { PrivacySwitches, SecuritySwitches } from '../features/privacy/PreferenceSwitches.tsx'

export function PrivacySecurity() {
  const client = useClient()
  const user = useUser()
  const preferences = usePreferencesLoad()
  return (
    <MemberPage title={texts.title} lead={texts.lead}>
      <Section title={texts.status.title} lead={texts.status.lead}>
        <SecurityStatus client={client} />
      </Section>
      <SecondFactorSection />
      <QueryError query={preferences} fallback={texts.notLoaded} />
      {preferences.isSuccess && (
        <>
          <Section title={texts.security.title}>
            <SecuritySwitches />
            <LockSetting />
          </Section>
          <Section title={texts.privacy.title} lead={texts.privacy.lead}>
            <PrivacySwitches />
          </Section>
          <Section title={texts.data.title} lead={texts.data.lead}>
            <DataDownloads client={client} username={user.username} />
            <DataExport client={client} />
          </Section>
        </>
      )}
    </MemberPage>
  )
}
