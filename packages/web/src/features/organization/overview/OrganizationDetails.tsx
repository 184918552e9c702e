import { useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { formatNumber } from '../../../i18n/language.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Panel } from '../../../ui/panel/Panel.tsx'
import { EditOrganization } from './EditOrganization.tsx'
import { currentQuery } from '../queries.ts'
import { organizationTexts } from '../texts.ts'
import { AfterDelay, Skeleton } from '../../../ui/feedback/Progress.tsx'
import { QueryError } from '../../../app/QueryError.tsx'
import '../../../ui/panel/facts.css'

/** The organization's name and type, which only a Super Admin may change. */
export function OrganizationDetails({ client, me }: { client: Client; me: User }) {
  const texts = organizationTexts.overview
  const [isEdited, setEdited] = useState(false)
  const current = useQuery(currentQuery(client))
  const { data } = current
  return (
    <Panel
      title={texts.details}
      aside={
        data &&
        me.role === 'super_admin' && (
          <Button size="sm" aria-label={texts.editName} onClick={() => setEdited(true)}>
            {texts.edit}
          </Button>
        )
      }
    >
      <QueryError query={current} title={texts.notLoaded} />
      {(data || !current.isError) && (
        <dl className="dl">
          <Fact label={texts.name} value={data?.name} />
          <Fact label={texts.type} value={data?.type} />
          <Fact label={texts.total} value={data && formatNumber(data.statistics.total)} />
          <Fact label={texts.active} value={data && formatNumber(data.statistics.active)} />
        </dl>
      )}
      {data && isEdited && <EditOrganization client={client} details={data} onClose={() => setEdited(false)} />}
    </Panel>
  )
}

/** A line of a card; shows a skeleton while the value is loading. */
export function Fact({ label, value, swatch }: { label: string; value: string | undefined; swatch?: ReactNode }) {
  return (
    <div>
      <dt>
        {swatch}
        {label}
      </dt>
      <dd>
        {value ?? (
          <AfterDelay>
            <Skeleton width={48} height={16} />
          </AfterDelay>
        )}
      </dd>
    </div>
  )
}
