import type { Preferences } from '@privity/contract/preferences'
import { QueryError } from '../app/QueryError.tsx'
import { usePreferencesLoad } from '../app/preferences/preferences.ts'
import { useClient } from '../app/session.ts'
import { AppearanceSettings } from '../features/preferences/AppearanceSettings.tsx'
import { DraftSwitch } from '../features/preferences/DraftSwitch.tsx'
import { EmailSwitch } from '../features/preferences/EmailSwitch.tsx'
import { RegionalSettings } from '../features/preferences/RegionalSettings.tsx'
import { SaveBar } from '../features/preferences/SaveBar.tsx'
import { preferenceTexts as texts } from '../features/preferences/texts.ts'
import { useDraft } from '../features/preferences/useDraft.ts'
import { PushSwitch } from '../features/push/PushSwitch.tsx'
import { Section, SwitchRow } from '../ui/section/Section.tsx'
import { MemberPage } from './member/MemberPage.tsx'

export function Settings() {
  const preferences = usePreferencesLoad()
  return (
    <MemberPage title={texts.title}>
      {preferences.data ? (
        <Sections saved={preferences.data.preferences} />
      ) : (
        <QueryError query={preferences} title={texts.notLoaded} />
      )}
    </MemberPage>
  )
}

function Sections({ saved }: { saved: Preferences }) {
  const client = useClient()
  const draft = useDraft(saved)
  return (
    <>
      <Section {...texts.notifications}>
        <EmailSwitch client={client} draft={draft} />
        <DraftSwitch name="pushNotifications" draft={draft} />
        <DraftSwitch name="messageNotifications" draft={draft} />
        <DraftSwitch name="connectionNotifications" draft={draft} />
        <DraftSwitch name="soundEnabled" draft={draft} />
        <PushSwitch client={client} />
      </Section>
      <Section {...texts.appearance}>
        <AppearanceSettings draft={draft} />
      </Section>
      <Section {...texts.regional}>
        <RegionalSettings client={client} draft={draft} />
      </Section>
      <Section {...texts.writing}>
        <DraftSwitch name="enterBreaksLine" draft={draft} />
      </Section>
      <Section {...texts.files}>
        <DraftSwitch name="approveAtSending" draft={draft} />
      </Section>
      <Section {...texts.performance}>
        <DraftSwitch name="autoSync" draft={draft} />
        <DraftSwitch name="backgroundSync" draft={draft} />
        <SwitchRow {...texts.compression} checked disabled onChange={() => {}} />
        <DraftSwitch name="preloadMessages" draft={draft} />
      </Section>
      <SaveBar draft={draft} />
    </>
  )
}
