import type { ListedRequest } from '@privity/contract/founder/supportRequests'
import { machineTime } from '../../../i18n/dateTime.ts'
import { fullName } from '../../../i18n/fullName.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { classes } from '../../../ui/classes.ts'
import type { Column } from '../../../ui/table/column.ts'
import { supportListTexts as texts } from './texts.ts'
import '../../../ui/badge/badge.css'

const looks = { low: 'badge-outline', normal: 'badge-outline', high: 'badge-warning', urgent: 'badge-critical' }

interface RequestColumns {
  /** Formats a date with its time. */
  format: (ms: number) => string
  onOpen: (request: ListedRequest) => void
}

export function requestColumns({ format, onOpen }: RequestColumns): Column<ListedRequest>[] {
  const { columns } = texts
  return [
    { label: columns.reference, placeholder: 110, cell: ({ reference }) => <code className="mono">{reference}</code> },
    { label: columns.subject, placeholder: 180, className: 'fl-long', cell: ({ subject }) => <span>{subject}</span> },
    { label: columns.category, placeholder: 100, cell: ({ category }) => texts.categories[category] },
    {
      label: columns.priority,
      placeholder: 60,
      cell: ({ priority }) => <span className={`badge ${looks[priority]}`}>{texts.priorities[priority]}</span>,
    },
    {
      label: columns.from,
      placeholder: 120,
      className: 'fl-long',
      cell: ({ from }) => (
        <span>
          {fullName(from)} <span className="subtle">@{from.username}</span>
        </span>
      ),
    },
    {
      label: columns.sent,
      placeholder: 110,
      cell: ({ createdAt }) => (
        <time className="num" dateTime={machineTime(createdAt)}>
          {format(createdAt)}
        </time>
      ),
    },
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
