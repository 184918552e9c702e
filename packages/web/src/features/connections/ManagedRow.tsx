import { memo, type ReactNode } from 'react'
import { Ban, Ellipsis, MessageSquare, UserX } from 'lucide-react'
import type { Connection } from '@privity/contract/connections'
import { formatDate } from '../../core/dateTime.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Button } from '../../ui/Button.tsx'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import type { Ended } from './EndConnection.tsx'
import { fullName, otherParty } from './party.ts'
import { connectionTexts } from './texts.ts'
import '../../styles/badge.css'

interface ManagedRowProps {
  connection: Connection
  ownId: string
  seal: ReactNode
  onOpen: (connectionId: string) => void
  onEnd: (ended: Ended) => void
}

/** A connection with its state, and what can be done with it. */
export const ManagedRow = memo(function ManagedRow({ connection, ownId, seal, onOpen, onEnd }: ManagedRowProps) {
  const texts = connectionTexts.manage
  const party = otherParty(connection, ownId)
  const name = fullName(party)
  return (
    <li className="managed-row">
      <Avatar firstName={party.firstName} lastName={party.lastName} />
      <div className="grow">
        <div className="managed-name">
          <b className="trunc">{name}</b>
          {party.available ? (
            <span className="badge badge-success">{texts.active}</span>
          ) : (
            <span className="badge">{connectionTexts.unavailable}</span>
          )}
        </div>
        <div className="managed-note">
          {party.email && <span className="trunc">{party.email}</span>}
          <span>{connectionTexts.connectedOn(formatDate(connection.connectedAt))}</span>
          {seal && <span className="managed-seal">{seal}</span>}
        </div>
      </div>
      <div className="managed-acts">
        <Button size="sm" aria-label={texts.openWith(name)} onClick={() => onOpen(connection.id)}>
          <MessageSquare className="ic" />
          <span className="hide-s">{texts.open}</span>
        </Button>
        <Menu
          label={texts.more(name)}
          trigger={
            <Button variant="ghost" size="sm" icon aria-label={texts.more(name)}>
              <Ellipsis className="ic" />
            </Button>
          }
        >
          <MenuItem onSelect={() => onEnd({ how: 'remove', connectionId: connection.id, name, party })}>
            <UserX className="ic" />
            {texts.remove}
          </MenuItem>
          <MenuItem danger onSelect={() => onEnd({ how: 'block', connectionId: connection.id, name, party })}>
            <Ban className="ic" />
            {texts.block}
          </MenuItem>
        </Menu>
      </div>
    </li>
  )
})
