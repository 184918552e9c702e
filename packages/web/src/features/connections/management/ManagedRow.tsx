import { memo, type ReactNode, useState } from 'react'
import { Ban, Ellipsis, MessageSquare, UserX } from 'lucide-react'
import type { Connection } from '@privity/contract/connections'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { Avatar } from '../../../ui/avatar/Avatar.tsx'
import { Button } from '../../../ui/button/Button.tsx'
import { Menu, MenuItem } from '../../../ui/overlay/Menu.tsx'
import type { Ended } from './EndConnection.tsx'
import { fullName } from '../../../i18n/names.ts'
import { connectionTexts } from '../texts.ts'
import { managementTexts } from './texts.ts'
import { otherParty } from '../queries.ts'
import '../../../ui/badge/badge.css'

interface ManagedRowProps {
  connection: Connection
  ownId: string
  /** Must be a stable function: the memoized rows render again if it changes. */
  sealOf: (connectionId: string) => ReactNode
  onOpen: (connectionId: string) => void
  onEnd: (ended: Ended) => void
}

/** A connection with its state and actions. */
export const ManagedRow = memo(function ManagedRow({ connection, ownId, sealOf, onOpen, onEnd }: ManagedRowProps) {
  const { formatDate } = useDateTime()
  const seal = sealOf(connection.id)
  const texts = managementTexts
  const party = otherParty(connection, ownId)
  const name = fullName(party)
  return (
    <li className="managed-row">
      <Avatar firstName={party.firstName} lastName={party.lastName} />
      <div className="grow">
        <div className="managed-name">
          <b className="trunc" dir="auto">
            {name}
          </b>
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
        <RowMenu name={name} onEnd={(how) => onEnd({ how, connectionId: connection.id, name, party })} />
      </div>
    </li>
  )
})

/** A menu costs more to render than its row, so it is created when its button is first pressed. */
function RowMenu({ name, onEnd }: { name: string; onEnd: (how: Ended['how']) => void }) {
  const texts = managementTexts
  const [wanted, setWanted] = useState(false)
  const button = (
    <Button
      variant="ghost"
      size="sm"
      icon
      aria-label={texts.more(name)}
      aria-haspopup="menu"
      onClick={() => setWanted(true)}
    >
      <Ellipsis className="ic" />
    </Button>
  )
  if (!wanted) return button
  return (
    <Menu defaultOpen label={texts.more(name)} trigger={button}>
      <MenuItem onSelect={() => onEnd('remove')}>
        <UserX className="ic" />
        {texts.remove}
      </MenuItem>
      <MenuItem danger onSelect={() => onEnd('block')}>
        <Ban className="ic" />
        {texts.block}
      </MenuItem>
    </Menu>
  )
}
