import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { formatNumber } from '../../core/language.ts'
import { Panel } from '../../ui/Panel.tsx'
import { Fact, OrganizationError } from './Fact.tsx'
import { currentQuery } from './queries.ts'
import { organizationTexts } from './texts.ts'
import '../../styles/facts.css'

export function OrganizationDetails({ client }: { client: Client }) {
  const texts = organizationTexts.overview
  const current = useQuery(currentQuery(client))
  const { data } = current
  return (
    <Panel title={texts.details}>
      {current.isError && <OrganizationError query={current} />}
      {(data || !current.isError) && (
        <dl className="dl">
          <Fact label={texts.name} value={data?.name} />
          <Fact label={texts.type} value={data?.type} />
          <Fact label={texts.total} value={data && formatNumber(data.statistics.total)} />
          <Fact label={texts.active} value={data && formatNumber(data.statistics.active)} />
        </dl>
      )}
    </Panel>
  )
}
