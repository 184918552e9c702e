import { useCallback } from 'react'
import { ChevronLeft } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { changeAddressQuery, useAddressQuery } from '../../browser/address.ts'
import { Page } from '../../app/screens/Page.tsx'
import { useClient, useUser } from '../../app/session.ts'
import { useClientEvents } from '../../app/useClientEvents.ts'
import { AuditLog } from '../../features/auditLogs/AuditLog.tsx'
import { IdentityQuestion } from '../../features/organization/Reauthentication.tsx'
import { currentQuery, refreshOrganization } from '../../features/organization/queries.ts'
import { isAdministrator } from '../../features/organization/roles.tsx'
import { UserManagement } from '../../features/organization/users/UserManagement.tsx'
import { SkipLink } from '../../ui/SkipLink.tsx'
import { Tabs } from '../../ui/tabs/Tabs.tsx'
import { adminTexts } from '../texts.ts'
import { TopBar } from '../member/TopBar.tsx'
import { RecentActivity } from '../../features/auditLogs/RecentActivity.tsx'
import { Invitations } from '../../features/organization/invitations/Invitations.tsx'
import { OrganizationDetails } from '../../features/organization/overview/OrganizationDetails.tsx'
import { PolicySettings } from '../../features/organization/policy/PolicySettings.tsx'
import { UserStatistics } from '../../features/organization/overview/UserStatistics.tsx'
import { fullName } from '../../i18n/names.ts'
import type { FindPeople } from '../../features/auditLogs/PersonFilter.tsx'
import { refreshAuditLogs } from '../../features/auditLogs/queries.ts'
import '../../app/screens/admin.css'
import '../member/memberPage.css'

const tabs = ['users', 'audit', 'overview'] as const
type Tab = (typeof tabs)[number]
const usual: Tab = 'users'

/** Switches the tab and removes the query parameters of the other tabs. */
const open = (tab: Tab) =>
  changeAddressQuery({
    tab: tab === usual ? undefined : tab,
    q: undefined,
    sort: undefined,
    action: undefined,
    person: undefined,
    from: undefined,
    to: undefined,
  })

export function Admin() {
  const client = useClient()
  const user = useUser()
  const isAllowed = isAdministrator(user)
  return (
    <Page title={isAllowed ? adminTexts.title : adminTexts.denied}>
      <SkipLink />
      <TopBar client={client} user={user} />
      <main className="page" id="main" tabIndex={-1}>
        <Link className="crumb" href="/">
          <ChevronLeft className="ic" />
          {adminTexts.messages}
        </Link>
        {isAllowed ? <AdminTabs client={client} user={user} /> : <AccessDenied />}
      </main>
    </Page>
  )
}

function AccessDenied() {
  return (
    <div className="page-h">
      <h1 className="h-page">{adminTexts.denied}</h1>
      <p>{adminTexts.deniedWhy}</p>
    </div>
  )
}

function AdminTabs({ client, user }: { client: Client; user: User }) {
  useLiveAdmin(client)
  const organization = useQuery(currentQuery(client)).data
  const findPeople = useFindPeople(client)
  const named = useAddressQuery().get('tab')
  const tab = tabs.find((each) => each === named) ?? usual
  return (
    <>
      <div className="page-h">
        <h1 className="h-page">{adminTexts.title}</h1>
        <p className="adm-subtitle">{organization && adminTexts.subtitle(organization.name, organization.type)}</p>
      </div>
      <Tabs
        label={adminTexts.tabs}
        value={tab}
        tabs={tabs.map((value) => ({ value, label: adminTexts[value] }))}
        onChange={open}
      >
        {tab === 'users' && <UserManagement client={client} me={user} />}
        {tab === 'audit' && <AuditLog client={client} findPeople={findPeople} />}
        {tab === 'overview' && <Overview client={client} me={user} />}
      </Tabs>
      <IdentityQuestion client={client} me={user} />
    </>
  )
}

/** The organization's details, activity, policy and invitations. */
function Overview({ client, me }: { client: Client; me: User }) {
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

/** Searches the organization's users for the person filter. */
function useFindPeople({ organization }: Client): FindPeople {
  return useCallback(
    async (typed) => {
      const { users } = await organization.users({ search: typed, limit: 10 })
      return users.map((user) => ({ id: user.id, name: fullName(user), email: user.email }))
    },
    [organization],
  )
}

/** Shows other administrators' changes while the administration is open. */
function useLiveAdmin(client: Client): void {
  const refresh = () => void Promise.all([refreshOrganization(), refreshAuditLogs()])
  useClientEvents(client, { organization_changed: refresh, resync: refresh })
}
