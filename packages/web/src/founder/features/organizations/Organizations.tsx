import { useState } from 'react'
import { mutationOptions, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { FounderClient } from '@privity/client/founder'
import { founderOrganizations, type ListedOrganization } from '@privity/contract/founder/organizations'
import { invitationLink } from '@privity/contract/invitationLink'
import { toastError } from '../../../app/callError.ts'
import { LinkDialog } from '../../../app/invitation/LinkDialog.tsx'
import { formatDate } from '../../../i18n/dateTime.ts'
import { formatNumber } from '../../../i18n/language.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { PagedTable, usePages } from '../../../ui/table/PagedTable.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { founderClient } from '../../console/client.ts'
import { ConsoleSection, SectionCount } from '../../console/ConsoleSection.tsx'
import { loadFailure } from '../../console/LoadError.tsx'
import { refetchPaths, usePage } from '../../console/queries.ts'
import { showUsersOf } from '../../console/userFilter.ts'
import { Time } from '../../console/values.tsx'
import { NewOrganization } from './NewOrganization.tsx'
import { organizationListTexts as texts } from './texts.ts'
import '../../console/founderLists.css'
import '../../../ui/field/formLine.css'

type Calls = Pick<FounderClient, 'call'>

export const createOrganizationMutation = ({ call }: Calls, queries: QueryClient) =>
  mutationOptions({
    mutationFn: (body: { name: string; type: string }) => call(founderOrganizations.create, { body }),
    onSuccess: ({ organization }) => toast({ title: texts.created, description: texts.createdHint(organization.name) }),
    onError: (error) => toastError(error, texts.failed, texts.failedHint),
    onSettled: () => refetchPaths(queries, [founderOrganizations.list.path]),
  })

export const inviteMutation = ({ call }: Calls, queries: QueryClient) =>
  mutationOptions({
    mutationFn: ({ id }: ListedOrganization) => call(founderOrganizations.invite, { params: { id } }),
    onSuccess: ({ organization }) => toast({ title: texts.linked, description: texts.linkedHint(organization.name) }),
    onError: (error) => toastError(error, texts.linkFailed, texts.linkFailedHint),
    onSettled: () => refetchPaths(queries, [founderOrganizations.list.path]),
  })

/** The server's organizations, and a form for new ones that shows the first administrator's invitation link. */
export function Organizations() {
  const queries = useQueryClient()
  const pages = usePages('')
  const list = usePage(founderOrganizations.list, { query: pages.after === undefined ? {} : { after: pages.after } })
  const [link, setLink] = useState<string>()
  const showLink = ({ token }: { token: string }) => setLink(invitationLink(location.origin, token))
  const create = useMutation(createOrganizationMutation(founderClient, queries))
  const invite = useMutation(inviteMutation(founderClient, queries))
  return (
    <ConsoleSection id="organizations" title={texts.title} beside={<SectionCount count={list.data?.total} />}>
      <div className="panel panel-flush">
        <div className="form-new">
          <p className="form-lead">{texts.lead}</p>
          <NewOrganization
            busy={create.isPending}
            onCreate={(input) => create.mutateAsync(input, { onSuccess: showLink })}
          />
        </div>
        <PagedTable
          fetching={list}
          problem={`${texts.notLoaded} ${loadFailure(list.error)}`}
          none={<EmptyState title={texts.none} />}
          label={texts.table}
          columns={organizationColumns({
            busyId: invite.isPending ? invite.variables.id : undefined,
            onNewLink: (organization) => invite.mutate(organization, { onSuccess: showLink }),
            onShowUsers: ({ id }) => showUsersOf(id),
          })}
          rows={list.data?.organizations}
          pages={pages}
          next={list.data?.next}
        />
      </div>
      <LinkDialog link={link} onClose={() => setLink(undefined)} texts={texts.link} />
    </ConsoleSection>
  )
}

interface OrganizationColumns {
  /** Id of the organization whose new link is being created. */
  busyId: string | undefined
  onNewLink: (organization: ListedOrganization) => void
  onShowUsers: (organization: ListedOrganization) => void
}

export function organizationColumns({
  busyId,
  onNewLink,
  onShowUsers,
}: OrganizationColumns): Column<ListedOrganization>[] {
  const { columns } = texts
  return [
    { label: columns.name, placeholder: 140, className: 'fl-long', cell: ({ name }) => <span>{name}</span> },
    { label: columns.type, placeholder: 80, className: 'fl-long', cell: ({ type }) => <span>{type}</span> },
    {
      label: columns.members,
      right: true,
      placeholder: 40,
      cell: ({ members }) => <span className="num">{formatNumber(members)}</span>,
    },
    {
      label: columns.created,
      placeholder: 80,
      cell: ({ createdAt }) => <Time at={createdAt} format={formatDate} />,
    },
    {
      label: columns.actions,
      right: true,
      placeholder: 80,
      cell: (organization) =>
        organization.members > 0 ? (
          <Button size="sm" aria-label={texts.usersOf(organization.name)} onClick={() => onShowUsers(organization)}>
            {texts.users}
          </Button>
        ) : (
          <Button
            size="sm"
            aria-label={texts.newLinkFor(organization.name)}
            busy={busyId === organization.id}
            onClick={() => onNewLink(organization)}
          >
            {texts.newLink}
          </Button>
        ),
    },
  ]
}
