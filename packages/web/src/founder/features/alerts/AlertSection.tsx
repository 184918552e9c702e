import { useQuery } from '@tanstack/react-query'
import { alerts } from '@privity/contract/founder/alerts'
import { reasonOf } from '../../console/failureReason.ts'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { AfterDelay, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { ConsolePanel } from '../../console/ConsolePanel.tsx'
import { callQuery } from '../../console/usePolling.ts'
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
        <ErrorState
          message={`${texts.settings.notLoaded} ${reasonOf(settings.error)}`}
          busy={settings.isFetching}
          onRetry={() => void settings.refetch()}
        />
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
