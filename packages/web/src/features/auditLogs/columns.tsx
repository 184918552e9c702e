import type { ReactNode } from 'react'
import type { AuditLogEntry } from '@privity/contract/auditLogs'
import { machineTime } from '../../core/dateTime.ts'
import { EmailText } from '../../ui/EmailText.tsx'
import type { Column } from '../../ui/table/DataTable.tsx'
import { actionWords } from './actions.ts'
import { type AuditParty, partyWords } from './people.ts'
import { auditTexts } from './texts.ts'

interface AuditColumns {
  /** Date and time. */
  format: (ms: number) => string
  onPerson: (id: string, name: string) => void
}

/** Details as they are stored; nothing where there are none. */
export function serialize(details: AuditLogEntry['details']): string {
  return Object.keys(details).length === 0 ? '' : JSON.stringify(details)
}

export function auditColumns({ format, onPerson }: AuditColumns) {
  const { columns } = auditTexts
  const person = (party: AuditParty, shown: ReactNode = partyWords(party)) =>
    party.kind === 'member' ? (
      <button
        type="button"
        className="adm-person"
        title={auditTexts.only(partyWords(party))}
        onClick={() => onPerson(party.id, partyWords(party))}
      >
        {shown}
      </button>
    ) : (
      <span className="muted">{shown}</span>
    )
  const made: Column<AuditLogEntry>[] = [
    { label: columns.action, placeholder: 120, cell: ({ action }) => actionWords(action) },
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
        <span className="adm-details">
          <code>{serialize(details)}</code>
          {address && <span className="adm-by">{auditTexts.from(address)}</span>}
        </span>
      ),
    },
  ]
  return made
}
