import type { ReactNode } from 'react'
import type { AuditLogEntry } from '@privity/contract/auditLogs'
import { machineTime } from '../../core/dateTime.ts'
import { serializeDetails } from '../../core/serializeDetails.ts'
import { EmailText } from '../../ui/EmailText.tsx'
import { EntryDetails } from '../../ui/table/EntryDetails.tsx'
import type { Column } from '../../ui/table/DataTable.tsx'
import { entryWords } from './actions.ts'
import { type AuditParty, partyWords } from './people.ts'
import { auditTexts } from './texts.ts'

interface AuditColumns {
  /** Date and time. */
  format: (ms: number) => string
  onPerson: (id: string, name: string) => void
}

export function auditColumns({ format, onPerson }: AuditColumns) {
  const { columns } = auditTexts
  const person = (party: AuditParty, shown: ReactNode = partyWords(party)) =>
    party.kind === 'member' || party.kind === 'deleted' ? (
      <button
        type="button"
        className="adm-person"
        title={auditTexts.onlyAbout(partyWords(party))}
        onClick={() => onPerson(party.id, partyWords(party))}
      >
        {shown}
      </button>
    ) : (
      <span className="muted">{shown}</span>
    )
  const made: Column<AuditLogEntry>[] = [
    { label: columns.action, placeholder: 120, cell: entryWords },
    {
      label: columns.target,
      placeholder: 160,
      className: 'adm-email',
      cell: ({ target, targetUserEmail }) =>
        target ? (
          person(target, targetUserEmail && <EmailText address={targetUserEmail} />)
        ) : (
          <span className="subtle">{auditTexts.nobody}</span>
        ),
    },
    { label: columns.performer, placeholder: 110, cell: ({ actor }) => person(actor) },
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
        <EntryDetails text={serializeDetails(details, format)} from={address && auditTexts.from(address)} />
      ),
    },
  ]
  return made
}
