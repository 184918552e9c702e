import { deletedUserNumber } from '@privity/contract/deletedUser'
import type { RelatedEntry } from '@privity/contract/founder/incidents'
import { entryColumns } from '../../../app/auditEntry/columns.tsx'
import { humanize } from '../../../app/auditEntry/humanize.ts'
import { SeverityBadge } from '../../../ui/badge/SeverityBadge.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { incidentTexts } from './texts.ts'

type Party = RelatedEntry['actor'] | NonNullable<RelatedEntry['target']>

/** Members by username, which the founder searches by. */
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
          {humanize(action)}
          {severity && <SeverityBadge severity={severity} label={incidentTexts.severities[severity]} />}
        </span>
      ),
    },
    {
      label: columns.target,
      placeholder: 110,
      cell: ({ target }) => (target ? partyWords(target) : <span className="subtle">{nobody}</span>),
    },
    {
      label: columns.performer,
      placeholder: 110,
      className: 'inc-performer',
      cell: ({ actor }) => <span>{partyWords(actor)}</span>,
    },
    ...entryColumns<RelatedEntry>({ labels: columns, format, from }),
  ]
}
