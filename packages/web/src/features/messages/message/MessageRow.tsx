import { memo, type ReactNode } from 'react'
import { CircleAlert, EllipsisVertical, Flag } from 'lucide-react'
import type { Client, DecryptedMessage } from '@privity/client'
import { translated } from '../../../app/callError.ts'
import { machineTime, useDateTime } from '../../../i18n/dateTime.ts'
import { classes } from '../../../ui/classes.ts'
import { canReport, hasActions } from './actions.ts'
import type { Delivery } from '../delivery.ts'
import { DeliveryMark } from './DeliveryMark.tsx'
import { Expiry } from './Expiry.tsx'
import { messageTexts as texts } from '../texts.ts'

interface MessageRowProps {
  client: Client
  message: DecryptedMessage
  sender: string
  turn: boolean
  tail: boolean
  /** Expired: fades out and is inert. */
  leaving: boolean
  /** Set for own messages that show their state (see shownDelivery). */
  delivery: Delivery | undefined
  fileRow: (message: DecryptedMessage) => ReactNode
  onReport: (message: DecryptedMessage) => void
  /** Set on touch devices: opens the menu that replaces the buttons. */
  onMenu: ((messageId: string, button: Element) => void) | undefined
}

export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { client, message, sender, turn, tail, leaving, delivery, fileRow, onReport, onMenu } = props
  const { formatTime } = useDateTime()
  const isFile = message.body.kind === 'file'
  return (
    <article
      className={classes(
        'msg',
        message.mine && 'own',
        turn && 'turn',
        isFile ? 'has-file' : 'msg-text',
        tail && !isFile && 'tail',
      )}
      data-leaving={leaving || undefined}
      data-menu={onMenu && hasActions(message) ? message.id : undefined}
      aria-label={sender}
      inert={leaving}
    >
      {isFile ? fileRow(message) : <Bubble body={message.body} />}
      {onMenu
        ? hasActions(message) && <MenuButton onPress={(button) => onMenu(message.id, button)} />
        : canReport(message) && <ReportButton onPress={() => onReport(message)} />}
      {(tail || message.earlierKey || delivery) && (
        <div className="meta">
          {message.earlierKey && <span>{texts.earlierKey}</span>}
          {tail && (
            <>
              <time dateTime={machineTime(message.createdAt)}>{formatTime(message.createdAt)}</time>
              {delivery && <DeliveryMark delivery={delivery} />}
              <Expiry client={client} createdAt={message.createdAt} expiresAt={message.expiresAt} />
            </>
          )}
          {!tail && delivery && <DeliveryMark delivery={delivery} />}
        </div>
      )}
    </article>
  )
})

function ReportButton({ onPress }: { onPress: () => void }) {
  return (
    <button type="button" className="msg-report" aria-label={texts.report} title={texts.report} onClick={onPress}>
      <Flag className="ic ic-sm" />
    </button>
  )
}

/** Visible only with the focus: users of a keyboard or screen reader cannot long-press. */
function MenuButton({ onPress }: { onPress: (button: Element) => void }) {
  return (
    <button
      type="button"
      className="msg-options"
      aria-label={texts.actions}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => onPress(currentTarget)}
    >
      <EllipsisVertical className="ic" />
    </button>
  )
}

function Bubble({ body }: Pick<DecryptedMessage, 'body'>) {
  if (body.kind === 'text')
    return (
      <div className="bubble" dir="auto">
        {body.text}
      </div>
    )
  if (body.kind === 'file') return null
  return (
    <div className="bubble bubble-unreadable">
      <CircleAlert className="ic" />
      <span>{translated(body.reason)}</span>
    </div>
  )
}
