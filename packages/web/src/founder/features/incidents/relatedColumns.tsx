import { deletedUserNumber } from '@privity/contract/deletedUser'
import type { RelatedEntry } from '@privity/contract/founder/incidents'
import { machineTime } from '../../../core/dateTime.ts'
import { serializeDetails } from '../../../core/serializeDetails.ts'
import { snakeWords } from '../../../core/snakeWords.ts'
import { SeverityBadge } from '../../../ui/SeverityBadge.tsx'
import { EntryDetails } from '../../../ui/table/EntryDetails.tsx'
import type { Column } from '../../../ui/table/DataTable.tsx'
import { incidentTexts } from './texts.ts'

type Party = RelatedEntry['actor'] | NonNullable<RelatedEntry['target']>

/** By the username, which is how the founder finds people. */
export function partyWords(party: Party): string {
  const { parties, unknown } = incidentTexts.related
  if (party.kind === 'member') return party.username
  if (party.kind === 'deleted') return incidentTexts.deletedUser(deletedUserNumber(party.id))
  return party.kind === 'unknown' ? unknown : parties[party.kind]
}

export function relatedColumns(format: (ms: number) => string): Column<RelatedEntry>[] {
  const { columns, nobody, from } = incidentTexts.related
  return [
    {
      label: columns.action,
      placeholder: 140,
      cell: ({ action, severity }) => (
        <span className="inc-action">
          {snakeWords(action)}
          {severity && <SeverityBadge severity={severity} label={incidentTexts.severities[severity]} />}
        </span>
      ),
    },
    {
      label: columns.target,
      placeholder: 110,
      cell: ({ target }) => (target ? partyWords(target) : <span className="subtle">{nobody}</span>),
    },
    { label: columns.performer, placeholder: 110, cell: ({ actor }) => partyWords(actor) },
    {
      label: columns.time,
      placeholder: 140,
      cell: ({ performedAt }) => (
        <time className="num nowrap" dateTime={machineTime(performedAt)}>
          {format(performedAt)}
        </time>
      ),
    },
    {
      label: columns.details,
      placeholder: 180,
      className: 'wide',
      cell: ({ details, address }) => (
        <EntryDetails text={serializeDetails(details, format)} from={address && from(address)} />
      ),
    },
  ]
}
