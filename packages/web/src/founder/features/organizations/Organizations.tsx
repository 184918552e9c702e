import { invitationLink } from '@privity/contract/invitationLink'
import { useState } from 'react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { founderOrganizations, type ListedOrganization } from '@privity/contract/founder/organizations'
import { reasonOf } from '../../console/failureReason.ts'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { formatNumber } from '../../../i18n/language.ts'
import { LinkDialog } from '../../../app/invitation/LinkDialog.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { PagedTable } from '../../../ui/table/PagedTable.tsx'
import { usePages } from '../../../ui/table/usePages.ts'
import { founderClient } from '../../console/client.ts'
import { ConsoleSection } from '../../console/ConsoleSection.tsx'
import { showUsersOf } from '../../console/userFilter.ts'
import { callQuery } from '../../console/usePolling.ts'
import { creating, inviting } from './changes.ts'
import { organizationColumns } from './columns.tsx'
import { NewOrganization } from './NewOrganization.tsx'
import { organizationListTexts as texts } from './texts.ts'
import '../../../ui/badge/badge.css'
import '../../../ui/panel/panel.css'
import '../../console/founderLists.css'
import '../../../ui/field/formLine.css'

const organizationId = ({ id }: ListedOrganization) => id

/** The server's organizations, and a form for new ones that shows the first administrator's invitation link. */
export function Organizations() {
  const queries = useQueryClient()
  const pages = usePages('')
  const query = pages.after === undefined ? {} : { after: pages.after }
  const list = useQuery({ ...callQuery(founderOrganizations.list, { query }), placeholderData: keepPreviousData })
  const { formatDate } = useDateTime()
  const [link, setLink] = useState<string>()
  const show = ({ token }: { token: string }) => setLink(invitationLink(location.origin, token))
  const create = useMutation(creating(founderClient, queries))
  const invite = useMutation(inviting(founderClient, queries))
  return (
    <ConsoleSection
      id="organizations"
      title={texts.title}
      beside={list.data && <span className="count">{formatNumber(list.data.total)}</span>}
    >
      <div className="panel panel-flush">
        <div className="form-new">
          <p className="form-lead">{texts.lead}</p>
          <NewOrganization
            busy={create.isPending}
            onCreate={(wanted) => create.mutateAsync(wanted, { onSuccess: show })}
          />
        </div>
        <PagedTable
          fetching={list}
          problem={`${texts.notLoaded} ${reasonOf(list.error)}`}
          none={<EmptyState title={texts.none} />}
          label={texts.table}
          columns={organizationColumns({
            formatDate,
            busyId: invite.isPending ? invite.variables.id : undefined,
            onNewLink: (organization) => invite.mutate(organization, { onSuccess: show }),
            onShowUsers: ({ id }) => showUsersOf(id),
          })}
          rows={list.data?.organizations}
          keyOf={organizationId}
          pages={pages}
          next={list.data?.next}
        />
      </div>
      <LinkDialog link={link} onClose={() => setLink(undefined)} texts={texts.link} />
    </ConsoleSection>
  )
}
