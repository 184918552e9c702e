import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { formatNumber } from '../../core/language.ts'
import { Panel } from '../../ui/Panel.tsx'
import { Fact, OrganizationError } from './Fact.tsx'
import { currentQuery } from './queries.ts'
import { organizationTexts } from './texts.ts'
import '../../styles/facts.css'

/** How many of which kind. The bar has admins and regular users, inactive ones among them. */
export function UserStatistics({ client }: { client: Client }) {
  const texts = organizationTexts.overview
  const current = useQuery(currentQuery(client))
  const statistics = current.data?.statistics
  return (
    <Panel title={texts.statistics}>
      {current.isError && <OrganizationError query={current} />}
      {statistics && (
        <div className="adm-bar" aria-hidden="true">
          {statistics.admins > 0 && <i className="adm-admins" style={{ flexGrow: statistics.admins }} />}
          {statistics.users > 0 && <i className="adm-users" style={{ flexGrow: statistics.users }} />}
        </div>
      )}
      {(statistics || !current.isError) && (
        <dl className="dl">
          <Fact
            label={texts.admins}
            value={statistics && formatNumber(statistics.admins)}
            swatch={<i className="adm-swatch adm-admins" />}
          />
          <Fact
            label={texts.users}
            value={statistics && formatNumber(statistics.users)}
            swatch={<i className="adm-swatch adm-users" />}
          />
          <Fact label={texts.inactive} value={statistics && formatNumber(statistics.inactive)} />
        </dl>
      )}
    </Panel>
  )
}
