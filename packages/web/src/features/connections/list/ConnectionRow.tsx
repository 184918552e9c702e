import type { ReactNode } from 'react'
import type { Connection } from '@privity/contract/connections'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { Avatar } from '../../../ui/avatar/Avatar.tsx'
import { fullName } from '../../../i18n/fullName.ts'
import { otherParty } from '../participants.ts'
import { connectionTexts as texts } from '../texts.ts'
import { unreadBadge, unreadName } from './unread.ts'
import './connectionRow.css'
import '../../../ui/badge/badge.css'

interface ConnectionRowProps {
  connection: Connection
  ownId: string
  current: boolean
  unread: number
  seal: ReactNode
  onSelect: (connection: Connection) => void
  /** Id of the button, so that the page can focus it. */
  id: string
}

/** A contact in the list; the whole row is one button. */
export function ConnectionRow({ connection, ownId, current, unread, seal, onSelect, id }: ConnectionRowProps) {
  const { formatDate } = useDateTime()
  const party = otherParty(connection, ownId)
  return (
    <li>
      <button
        type="button"
        id={id}
        className="conn"
        aria-current={current || undefined}
        onClick={() => onSelect(connection)}
      >
        <Avatar firstName={party.firstName} lastName={party.lastName} />
        <span className="grow">
          <span className="nm">
            <span className="trunc" dir="auto">
              {fullName(party)}
            </span>
            {seal}
          </span>
          <span className="mt">
            {texts.connectedOn(formatDate(connection.connectedAt))}
            {!party.available && ` · ${texts.unavailable}`}
          </span>
        </span>
        {unread > 0 && (
          <span className="unread">
            <span aria-hidden="true">{unreadBadge(unread)}</span>
            <span className="sr">{unreadName(unread)}</span>
          </span>
        )}
      </button>
    </li>
  )
}
