import type { ReactNode } from 'react'
import type { Connection } from '@privity/contract/connections'
import { limits } from '@privity/contract/limits'
import { daysBetween, machineTime, useDateTime } from '../../../i18n/dateTime.ts'
import { retention } from '../../../i18n/retention.ts'
import { everyMinute } from '../../../browser/useMinuteTick.ts'
import { useStore } from '../../../ui/useStore.ts'
import { Avatar } from '../../../ui/avatar/Avatar.tsx'
import { fullName } from '../../../i18n/names.ts'
import { connectionTexts as texts } from '../texts.ts'
import { AfterDelay, Skeleton } from '../../../ui/feedback/Progress.tsx'
import { otherParty } from '../queries.ts'
import './connectionRow.css'
import '../../../ui/badge/badge.css'

interface ConnectionRowProps {
  connection: Connection
  ownId: string
  current: boolean
  unread: number
  seal: ReactNode
  hasDraft: boolean
  onSelect: (connection: Connection) => void
  /** Id of the button, so that the page can focus it. */
  id: string
}

/** A contact in the list; the whole row is one button. */
export function ConnectionRow({
  connection,
  ownId,
  current,
  unread,
  seal,
  hasDraft,
  onSelect,
  id,
}: ConnectionRowProps) {
  const { formatDate } = useDateTime()
  const party = otherParty(connection, ownId)
  return (
    <li>
      <button
        type="button"
        id={id}
        className="conn"
        data-keep-clear="rows"
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
            {hasDraft && !current && <b className="draft">{`${texts.draft} · `}</b>}
            {texts.connectedOn(formatDate(connection.connectedAt))}
            {!party.available && ` · ${texts.unavailable}`}
          </span>
        </span>
        <span className="conn-end">
          <LastMessage at={connection.lastMessageAt} />
          {unread > 0 && (
            <span className="unread">
              <span aria-hidden="true">{unreadBadge(unread)}</span>
              <span className="sr">{unreadName(unread)}</span>
            </span>
          )}
        </span>
      </button>
    </li>
  )
}

/** When the newest message was stored, until it expires. */
function LastMessage({ at }: { at: number | undefined }) {
  const { formatTime } = useDateTime()
  useStore(everyMinute)
  const now = Date.now()
  if (at === undefined || at <= now - retention) return null
  return (
    <span>
      <span className="sr">{`${texts.lastMessage} `}</span>
      <time dateTime={machineTime(at)}>{daysBetween(at, now) > 0 ? texts.yesterday : formatTime(at)}</time>
    </span>
  )
}

const rows = [
  ['72%', '46%'],
  ['54%', '40%'],
  ['64%', '44%'],
] as const

export function ConnectionListSkeleton() {
  return (
    <AfterDelay>
      <p className="sr" role="status">
        {texts.loading}
      </p>
      <div className="conns" aria-hidden="true">
        {rows.map(([name, date]) => (
          <div className="conn conn-skeleton" key={name}>
            <Skeleton width={40} height={40} borderRadius={6} />
            <span className="stack-tight">
              <Skeleton height={11} width={name} />
              <Skeleton height={9} width={date} />
            </span>
          </div>
        ))}
      </div>
    </AfterDelay>
  )
}

/** Text of the badge: the number, or '9+' above 9. */
export function unreadBadge(count: number): string {
  return count > limits.unreadBadge ? `${limits.unreadBadge}+` : String(count)
}

/** Accessible name of the badge. */
export function unreadName(count: number): string {
  return count > limits.unreadBadge ? texts.manyUnread(limits.unreadBadge) : texts.unread(count)
}
