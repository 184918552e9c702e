import { useQuery } from '@tanstack/react-query'
import { alerts } from '@privity/contract/founder/alerts'
import { AfterDelay, Skeleton } from '../../../ui/feedback/Progress.tsx'
import { ConsolePanel } from '../../console/ConsoleSection.tsx'
import { LoadError } from '../../console/LoadError.tsx'
import { callQuery } from '../../console/queries.ts'
import { LastAlerts } from './LastAlerts.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { TestAlert } from './TestAlert.tsx'
import { alertTexts as texts } from './texts.ts'
import './alertSettings.css'

export const alertsId = 'alert-settings'

/** Section 4 of the console: alert channels, a test alert and the latest alerts. */
export function AlertSection() {
  const settings = useQuery(callQuery(alerts.getSettings, {}))
  return (
    <ConsolePanel id={alertsId} title={texts.section}>
      {settings.isError ? (
        <LoadError query={settings} title={texts.settings.notLoaded} />
      ) : settings.data === undefined ? (
        <AfterDelay>
          <Skeleton width="100%" height={240} />
        </AfterDelay>
      ) : (
        <SettingsForm settings={settings.data}>
          <TestAlert />
        </SettingsForm>
      )}
      <LastAlerts />
    </ConsolePanel>
  )
}
