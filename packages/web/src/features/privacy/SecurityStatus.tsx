import type { Client } from '@privity/client'
import { useDateTime } from '../../i18n/dateTime.ts'
import { QueryError } from '../../app/QueryError.tsx'
import { usePreferences } from '../../app/preferences/preferences.ts'
import { AfterDelay, Skeleton } from '../../ui/feedback/Progress.tsx'
import { StatusRow } from './StatusRow.tsx'
import { statusItems } from './statusItems.ts'
import { privacyTexts } from './texts.ts'
import { useStatusFacts } from './useStatusFacts.ts'
import './securityStatus.css'

/** Facts about the account's security, each with a link to the setting that changes it. */
export function SecurityStatus({ client }: { client: Client }) {
  const { formatDate, formatTime } = useDateTime()
  const texts = privacyTexts.status
  const { preferences, policy } = usePreferences()
  const facts = useStatusFacts(client)
  if (facts.isError && !facts.data) return <QueryError query={facts} fallback={texts.notLoaded} />
  if (!facts.data) return <StatusSkeleton />
  const formats = { date: formatDate, time: (at: number) => `${formatDate(at)} ${formatTime(at)}` }
  const sessionTimeout = preferences.sessionTimeout || policy.sessionTimeout
  const items = statusItems(facts.data, { ...preferences, sessionTimeout }, formats)
  return (
    <>
      <p className="sec-sum">{texts.summary(items.filter(({ state }) => state === 'attention').length)}</p>
      <ul aria-label={texts.list}>
        {items.map((item) => (
          <StatusRow key={item.id} item={item} />
        ))}
      </ul>
    </>
  )
}

function StatusSkeleton() {
  return (
    <AfterDelay>
      <div aria-hidden="true">
        {['32%', '46%', '38%', '28%'].map((width) => (
          <div key={width} className="sec-item">
            <Skeleton width={16} height={16} />
            <div>
              <Skeleton width={width} height={14} />
              <p>
                <Skeleton width="80%" height={12} />
              </p>
            </div>
          </div>
        ))}
      </div>
    </AfterDelay>
  )
}
