import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { machineTime, useDateTime } from '../../i18n/dateTime.ts'
import { copyableText } from '../../browser/clipboard.ts'
import { Skeleton } from '../../ui/feedback/Progress.tsx'
import { overviewQuery } from './queries.ts'
import { accountTexts } from './texts.ts'
import { QueryError } from '../../app/QueryError.tsx'
import '../../ui/badge/badge.css'
import '../../ui/panel/facts.css'

const looks = { user: 'badge-outline', org_admin: 'badge-primary', super_admin: 'badge-solid' }

export function Overview({ client, user }: { client: Client; user: User }) {
  const { formatDate } = useDateTime()
  const texts = accountTexts.overview
  const overview = useQuery(overviewQuery(client))
  const { data, error } = overview
  return (
    <>
      <dl className="dl">
        <div>
          <dt>{texts.username}</dt>
          <dd>{user.username}</dd>
        </div>
        <div>
          <dt>{texts.role}</dt>
          <dd>
            <span className={`badge ${looks[user.role]}`}>{texts.roles[user.role]}</span>
          </dd>
        </div>
        {!error && (
          <div>
            <dt>{texts.organization}</dt>
            <dd>{data ? data.organization.name : <Skeleton width={120} height={16} />}</dd>
          </div>
        )}
        <div>
          <dt>{texts.since}</dt>
          <dd>
            <time dateTime={machineTime(user.createdAt)}>{formatDate(user.createdAt)}</time>
          </dd>
        </div>
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
