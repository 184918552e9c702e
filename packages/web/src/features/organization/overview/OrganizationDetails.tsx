import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { formatNumber } from '../../../i18n/language.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Panel } from '../../../ui/panel/Panel.tsx'
import { EditOrganization } from './EditOrganization.tsx'
import { Fact, OrganizationError } from './Fact.tsx'
import { currentQuery } from '../queries.ts'
import { organizationTexts } from '../texts.ts'
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
      {current.isError && <OrganizationError query={current} />}
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
