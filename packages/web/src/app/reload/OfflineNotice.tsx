import { CloudOff } from 'lucide-react'
import { useDateTime } from '../../i18n/dateTime.ts'
import { useStore } from '../../ui/useStore.ts'
import { shownAsOf } from './reload.ts'
import { offlineTexts as texts } from './texts.ts'
import '../../ui/panel/panel.css'

/** While a page that was loaded without a network has not reached the server. */
export function OfflineNotice() {
  const asOf = useStore(shownAsOf)
  const { formatTime } = useDateTime()
  if (asOf === undefined) return null
  return (
    <div className="alert alert-line" role="status">
      <CloudOff className="ic" />
      <span>{texts.asOf(formatTime(asOf))}</span>
    </div>
  )
}
