import type { ReactNode } from 'react'
import { fullName } from '../../../i18n/names.ts'
import { Avatar } from '../../../ui/avatar/Avatar.tsx'
import '../management/manageConnections.css'
import './directory.css'

interface PersonRowProps {
  person: { firstName: string; lastName: string }
  note: string
  /** The buttons. */
  children?: ReactNode
}

/** A person with their whole name: two names must not look alike because their ends are cut off. */
export function PersonRow({ person, note, children }: PersonRowProps) {
  return (
    <li className="managed-row directory-row">
      <Avatar firstName={person.firstName} lastName={person.lastName} />
      <div className="grow">
        <b dir="auto">{fullName(person)}</b>
        {note && <div className="managed-note">{note}</div>}
      </div>
      {children && <div className="managed-acts">{children}</div>}
    </li>
  )
}
