import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { RecentActivity } from '../../features/auditLogs/RecentActivity.tsx'
import { Invitations } from '../../features/organization/invitations/Invitations.tsx'
import { OrganizationDetails } from '../../features/organization/overview/OrganizationDetails.tsx'
import { PolicySettings } from '../../features/organization/policy/PolicySettings.tsx'
import { UserStatistics } from '../../features/organization/overview/UserStatistics.tsx'
import '../../app/screens/admin.css'

/** The organization's details, activity, policy and invitations. */
export function Overview({ client, me }: { client: Client; me: User }) {
  return (
    <div className="adm-overview">
      <div className="adm-cards">
        <OrganizationDetails client={client} me={me} />
        <UserStatistics client={client} />
        <RecentActivity client={client} />
      </div>
      <PolicySettings client={client} />
      <Invitations client={client} me={me} />
    </div>
  )
}
