import {
  Check,
  FileQuestion,
  KeyRound,
  Lock,
  type LucideIcon,
  MonitorSmartphone,
  ShieldOff,
  UserCog,
  UserPlus,
  UserSearch,
  X,
} from 'lucide-react'
import { isKept, type Notification, type NotificationKind } from '@privity/contract/notifications'
import { dayNumber, machineTime, useDateTime } from '../../i18n/dateTime.ts'
import { buttonClass } from '../../ui/button/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { notificationTexts as texts } from './texts.ts'
import { wordsOf } from './notificationText.ts'

const icons: Record<NotificationKind, LucideIcon> = {
  connection_created: UserPlus,
  connection_requested: UserSearch,
  file_requested: FileQuestion,
  file_decided: Check,
  key_changed: KeyRound,
  second_factor_reset: ShieldOff,
  account_changed: UserCog,
  account_locked: Lock,
  signed_in: MonitorSmartphone,
}

interface NotificationRowProps {
  notification: Notification
  fileName: string | undefined
  now: number
  onOpen: () => void
  onRemove: () => void
}

export function NotificationRow({ notification, fileName, now, onOpen, onRemove }: NotificationRowProps) {
  const { kind, createdAt, read } = notification
  const { title, hint } = wordsOf(notification, fileName)
  const Icon = kind === 'file_decided' && notification.decision !== 'approved' ? X : icons[kind]
  const { formatDate, formatTime } = useDateTime()
  const time = formatTime(createdAt)
  return (
    <li className={classes('notice', !read && 'notice-new')}>
      <button type="button" className="notice-open" onClick={onOpen}>
        <Icon className={classes('ic ic-md', kind === 'key_changed' && 'notice-warn')} />
        <span className="grow">
          <span className="notice-title">
            {!read && <span className="sr">{`${texts.unread}. `}</span>}
            {title}
          </span>
          {hint && <span className="notice-hint">{hint}</span>}
          <time className="notice-time" dateTime={machineTime(createdAt)}>
            {dayNumber(createdAt) === dayNumber(now) ? time : `${formatDate(createdAt)}, ${time}`}
          </time>
        </span>
        {!read && <span className="dot notice-dot" aria-hidden="true" />}
      </button>
      {!isKept(notification, now) && (
        <button
          type="button"
          className={classes(buttonClass({ variant: 'ghost', size: 'sm', icon: true }), 'notice-remove')}
          aria-label={texts.remove(title)}
          title={texts.remove(title)}
          onClick={onRemove}
        >
          <X className="ic" />
        </button>
      )}
    </li>
  )
}
