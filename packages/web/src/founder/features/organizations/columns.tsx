import type { ListedOrganization } from '@privity/contract/founder/organizations'
import { formatDate } from '../../../i18n/dateTime.ts'
import { formatNumber } from '../../../i18n/language.ts'
import { Button } from '../../../ui/button/Button.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { Time } from '../../console/values.tsx'
import { organizationListTexts as texts } from './texts.ts'

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
