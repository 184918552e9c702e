import { useQuery } from '@tanstack/react-query'
import type { Client, CurrentOrganization } from '@privity/client'
import { formatNumber } from '../../../i18n/language.ts'
import { Panel } from '../../../ui/panel/Panel.tsx'
import { currentQuery } from '../queries.ts'
import { organizationTexts } from '../texts.ts'
import { Fact } from './OrganizationDetails.tsx'
import { QueryError } from '../../../app/QueryError.tsx'
import '../../../ui/panel/facts.css'

/** Shares of the bar. Each user counts once: an inactive one as inactive, for every role. */
const parts = ({ activeAdmins, active, inactive }: CurrentOrganization['statistics']) => [
  { look: 'adm-admins', share: activeAdmins },
  { look: 'adm-users', share: active - activeAdmins },
  { look: 'adm-inactive', share: inactive },
]

/** Number of users by kind. */
export function UserStatistics({ client }: { client: Client }) {
  const texts = organizationTexts.overview
  const current = useQuery(currentQuery(client))
  const statistics = current.data?.statistics
  return (
    <Panel title={texts.statistics}>
      <QueryError query={current} title={texts.notLoaded} />
      {statistics && (
        <div className="adm-bar" aria-hidden="true">
          {parts(statistics).map(
            ({ look, share }) => share > 0 && <i key={look} className={look} style={{ flexGrow: share }} />,
          )}
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
          <Fact
            label={texts.inactive}
            value={statistics && formatNumber(statistics.inactive)}
            swatch={<i className="adm-swatch adm-inactive" />}
          />
        </dl>
      )}
    </Panel>
  )
}
