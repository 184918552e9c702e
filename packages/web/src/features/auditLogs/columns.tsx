import type { ReactNode } from 'react'
import type { AuditLogEntry } from '@privity/contract/auditLogs'
import { machineTime } from '../../core/dateTime.ts'
import { EmailText } from '../../ui/EmailText.tsx'
import type { Column } from '../../ui/table/DataTable.tsx'
import { entryWords } from './actions.ts'
import { type AuditParty, partyWords } from './people.ts'
import { auditTexts } from './texts.ts'

interface AuditColumns {
  /** Date and time. */
  format: (ms: number) => string
  onPerson: (id: string, name: string) => void
}

/** Details as they are stored, with times to be read; nothing where there are none. */
export function serialize(details: AuditLogEntry['details'], format: (ms: number) => string): string {
  if (Object.keys(details).length === 0) return ''
  return JSON.stringify(details, (key, value: unknown) =>
    typeof value === 'number' && key.endsWith('At') ? format(value) : value,
  )
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
        <span className="adm-details">
          <code>{serialize(details, format)}</code>
          {address && <span className="adm-by">{auditTexts.from(address)}</span>}
        </span>
      ),
    },
  ]
  return made
}
