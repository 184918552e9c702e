import type { ListedRequest } from '@privity/contract/founder/supportRequests'
import { Button } from '../../../ui/button/Button.tsx'
import { classes } from '../../../ui/classes.ts'
import type { Column } from '../../../ui/table/column.ts'
import { PersonName, Time } from '../../console/values.tsx'
import { supportListTexts as texts } from './texts.ts'
import '../../../ui/badge/badge.css'

const priorityBadges = {
  low: 'badge-outline',
  normal: 'badge-outline',
  high: 'badge-warning',
  urgent: 'badge-critical',
}

export function requestColumns(onOpen: (request: ListedRequest) => void): Column<ListedRequest>[] {
  const { columns } = texts
  return [
    { label: columns.reference, placeholder: 110, cell: ({ reference }) => <code className="mono">{reference}</code> },
    { label: columns.subject, placeholder: 180, className: 'fl-long', cell: ({ subject }) => <span>{subject}</span> },
    { label: columns.category, placeholder: 100, cell: ({ category }) => texts.categories[category] },
    {
      label: columns.priority,
      placeholder: 60,
      cell: ({ priority }) => <span className={`badge ${priorityBadges[priority]}`}>{texts.priorities[priority]}</span>,
    },
    {
      label: columns.from,
      placeholder: 120,
      className: 'fl-long',
      cell: ({ from }) => (
        <span>
          <PersonName person={from} />
        </span>
      ),
    },
    { label: columns.sent, placeholder: 110, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { label: columns.state, placeholder: 60, cell: ({ state }) => <RequestState state={state} /> },
    {
      label: columns.actions,
      right: true,
      placeholder: 60,
      cell: (request) => (
        <Button size="sm" aria-label={texts.viewReference(request.reference)} onClick={() => onOpen(request)}>
          {texts.view}
        </Button>
      ),
    },
  ]
}

export function RequestState({ state }: Pick<ListedRequest, 'state'>) {
  return (
    <span className={classes('badge', state === 'open' ? 'badge-info' : 'badge-outline')}>{texts.states[state]}</span>
  )
}
