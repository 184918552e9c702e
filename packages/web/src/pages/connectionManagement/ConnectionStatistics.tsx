import { useQuery } from '@tanstack/react-query'
import type { Client, TrustState } from '@privity/client'
import { durationWords } from '@privity/contract/languages'
import { limits } from '@privity/contract/limits'
import { language } from '../../i18n/language.ts'
import { usePreferences } from '../../app/preferences/preferences.ts'
import { QueryError } from '../../app/QueryError.tsx'
import { blockedQuery, statisticsQuery } from '../../features/connections/queries.ts'
import { managementTexts } from '../../features/connections/management/texts.ts'
import { pendingQuery } from '../../features/files/queries.ts'
import { unreadQuery } from '../../features/messages/queries.ts'
import { Skeleton } from '../../ui/feedback/Progress.tsx'
import '../../features/connections/management/manageConnections.css'

interface ConnectionStatisticsProps {
  client: Client
  connections: number | undefined
  seals: ReadonlyMap<string, TrustState> | undefined
}

/** Figures about all connections of the user, kept current. */
export function ConnectionStatistics({ client, connections, seals }: ConnectionStatisticsProps) {
  const { figures: labels, statisticsNotLoaded } = managementTexts
  const messages = useQuery(statisticsQuery(client))
  const unread = useQuery(unreadQuery(client, usePreferences().preferences)).data
  const pending = useQuery(pendingQuery(client)).data
  const blocked = useQuery(blockedQuery(client)).data
  const period = durationWords(messages.data?.period ?? limits.retention, language.get())
  return (
    <>
      <Figures
        figures={[
          { label: labels.connections, value: connections },
          {
            label: labels.verified,
            value: seals && [...seals.values()].filter((state) => state === 'verified').length,
          },
          { label: labels.unread, value: unread?.reduce((sum, { count }) => sum + count, 0) },
          { label: labels.pending, value: pending?.length },
          { label: labels.sent(period), value: messages.data?.sent },
          { label: labels.received(period), value: messages.data?.received },
          { label: labels.blocked, value: blocked?.length },
        ]}
      />
      <QueryError query={messages} title={statisticsNotLoaded} />
    </>
  )
}

interface Figure {
  label: string
  /** Undefined while loading. */
  value: number | undefined
}

function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="figures">
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? <Skeleton width={36} height={24} />}</dd>
        </div>
      ))}
    </dl>
  )
}
