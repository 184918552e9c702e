import type { ReactNode } from 'react'
import type { AuditLogEntry } from '@privity/contract/auditLogs'
import { entryColumns } from '../../app/auditEntry/columns.tsx'
import { EmailText } from '../../ui/EmailText.tsx'
import type { Column } from '../../ui/table/column.ts'
import { entryWords } from './actions.ts'
import { type AuditParty, partyWords } from './people.ts'
import { auditTexts } from './texts.ts'

interface AuditColumns {
  /** Formats a date with its time. */
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
    ...entryColumns<AuditLogEntry>({ labels: columns, format, from: auditTexts.from }),
  ]
  return made
}
