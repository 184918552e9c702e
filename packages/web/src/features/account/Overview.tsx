import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { machineTime, useDateTime } from '../../i18n/dateTime.ts'
import { copyableText } from '../../browser/clipboard.ts'
import { Skeleton } from '../../ui/feedback/Progress.tsx'
import { Fact } from '../../ui/panel/Fact.tsx'
import { overviewQuery } from './queries.ts'
import { accountTexts } from './texts.ts'
import { QueryError } from '../../app/QueryError.tsx'
import '../../ui/badge/badge.css'

const looks = { user: 'badge-outline', org_admin: 'badge-primary', super_admin: 'badge-solid' }

export function Overview({ client, user }: { client: Client; user: User }) {
  const { formatDate } = useDateTime()
  const texts = accountTexts.overview
  const overview = useQuery(overviewQuery(client))
  const { data, error } = overview
  return (
    <>
      <dl className="dl">
        <Fact label={texts.username}>{user.username}</Fact>
        <Fact label={texts.role}>
          <span className={`badge ${looks[user.role]}`}>{texts.roles[user.role]}</span>
        </Fact>
        {!error && (
          <Fact label={texts.organization}>{data ? data.organization.name : <Skeleton width={120} height={16} />}</Fact>
        )}
        <Fact label={texts.since}>
          <time dateTime={machineTime(user.createdAt)}>{formatDate(user.createdAt)}</time>
        </Fact>
        <div>
          <dt>{texts.code}</dt>
          <dd className="mono" {...copyableText}>
            {user.connectionCode}
          </dd>
        </div>
      </dl>
      <QueryError query={overview} fallback={accountTexts.retry} />
    </>
  )
}
