import { lazy, memo, type ReactNode, Suspense } from 'react'
import { BadgeCheck, CircleAlert, EllipsisVertical, Check, CheckCheck } from 'lucide-react'
import type { Client, DecryptedMessage, Quote } from '@privity/client'
import { limits } from '@privity/contract/limits'
import { translated } from '../../../app/callError.ts'
import { daysBetween, machineTime, useDateTime } from '../../../i18n/dateTime.ts'
import { classes } from '../../../ui/classes.ts'
import type { Delivery } from '../delivery.ts'
import { splitLinks } from '../link/splitLinks.ts'
import { messageTexts as texts, messageTexts } from '../texts.ts'
import { hasActions } from '../menu/messageActions.ts'
import type { QuotedProps } from '../quotes/Quoted.tsx'
import './messageButton.css'
import { everyMinute } from '../../../browser/useMinuteTick.ts'
import { useStore } from '../../../ui/useStore.ts'
import { ExpiryRing } from '../../../ui/indicator/Remaining.tsx'

const Quoted = lazy(async () => ({ default: (await import('../quotes/Quoted.tsx')).Quoted }))

interface MessageRowProps {
  client: Client
  message: DecryptedMessage
  sender: string
  /** Full name of the contact. */
  otherName: string
  /** The message that it quotes, where the page shows that. */
  original: DecryptedMessage | undefined
  turn: boolean
  tail: boolean
  /** Expired: fades out and is inert. */
  leaving: boolean
  /** Set for own messages that show their state (see shownDelivery). */
  delivery: Delivery | undefined
  fileRow: (message: DecryptedMessage) => ReactNode
  /** A long press opens the menu, too. */
  isTouch: boolean
  onMenu: (messageId: string, button: Element) => void
}

export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { client, message, sender, turn, tail, leaving, fileRow, isTouch, onMenu } = props
  const { formatTime } = useDateTime()
  const times = useDifferentTimes(message)
  const { kind } = message.body
  const isFile = kind === 'file'
  const delivery = kind === 'deleted' ? undefined : props.delivery
  return (
    <article
      className={classes(
        'msg',
        message.mine && 'own',
        turn && 'turn',
        isFile ? 'has-file' : 'msg-text',
        tail && !isFile && 'tail',
      )}
      data-message={message.id}
      data-leaving={leaving || undefined}
      data-menu={isTouch && hasActions(message) ? message.id : undefined}
      aria-label={sender}
      inert={leaving}
    >
      {isFile ? fileRow(message) : <Bubble {...props} />}
      {hasActions(message) && <MenuButton isTouch={isTouch} onPress={(button) => onMenu(message.id, button)} />}
      {(tail || message.earlierKey || message.isLate || times || delivery) && (
        <div className="meta">
          {message.earlierKey && <span>{texts.earlierKey}</span>}
          {message.isLate && <span>{texts.late}</span>}
          {times && <span>{times}</span>}
          {tail && (
            <>
              {!times && <time dateTime={machineTime(message.createdAt)}>{formatTime(message.createdAt)}</time>}
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

/** The times of a message that its sender wrote at another time than the server says it arrived. */
function useDifferentTimes({ createdAt, signed }: DecryptedMessage): string | undefined {
  const { formatDate, formatTime } = useDateTime()
  if (!signed || Math.abs(createdAt - signed.sentAt) <= limits.clockTolerance) return undefined
  const isSameDay = daysBetween(signed.sentAt, createdAt) === 0
  const format = (time: number) => (isSameDay ? formatTime(time) : `${formatDate(time)} ${formatTime(time)}`)
  return texts.differentTimes(format(signed.sentAt), format(createdAt))
}

interface MenuButtonProps {
  isTouch: boolean
  onPress: (button: Element) => void
}

/** On touch devices visible only with the focus: users of a keyboard or screen reader cannot long-press. */
function MenuButton({ isTouch, onPress }: MenuButtonProps) {
  return (
    <button
      type="button"
      className={isTouch ? 'msg-options' : 'msg-more'}
      aria-label={texts.actions}
      title={isTouch ? undefined : texts.actions}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => onPress(currentTarget)}
    >
      <EllipsisVertical className={isTouch ? 'ic' : 'ic ic-sm'} />
    </button>
  )
}

function Bubble({ message: { body }, ...props }: Pick<MessageRowProps, 'client' | 'message' | QuotedProp>) {
  if (body.kind === 'text')
    return (
      <div className="bubble" dir="auto">
        <Quotation {...props} quote={body.quote} />
        {splitLinks(body.text).map(({ text, href }, index) =>
          href === undefined ? text : <Link key={index} href={href} text={text} />,
        )}
      </div>
    )
  if (body.kind === 'file') return null
  if (body.kind === 'deleted') return <div className="bubble bubble-deleted">{texts.deleted}</div>
  return (
    <div className="bubble bubble-unreadable">
      <CircleAlert className="ic" />
      <span>{translated(body.reason)}</span>
    </div>
  )
}

/** Asks before it opens (useLinkQuestion). */
function Link({ href, text }: { href: string; text: string }) {
  return (
    <a
      className="msg-link"
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      referrerPolicy="no-referrer"
      draggable={false}
      aria-haspopup="dialog"
      dir="ltr"
    >
      {text}
    </a>
  )
}

type QuotedProp = 'sender' | 'otherName' | 'original'

/** The quote of a message that has one. */
export function Quotation({ quote, ...props }: Omit<QuotedProps, 'quote'> & { quote: Quote | undefined }) {
  return (
    quote && (
      <Suspense>
        <Quoted {...props} quote={quote} />
      </Suspense>
    )
  )
}

function DeliveryMark({ delivery }: { delivery: Delivery }) {
  const isConfirmed = delivery === 'deliveredConfirmed' || delivery === 'readConfirmed'
  const isRead = delivery === 'read' || delivery === 'readConfirmed'
  const Icon = isConfirmed ? BadgeCheck : isRead ? CheckCheck : Check
  return (
    <span className={isRead || isConfirmed ? 'read' : undefined}>
      <Icon className="ic ic-sm" />
      {texts.delivery[delivery]}
    </span>
  )
}

/** A ring and a text such as 'disappears in 19 h', updated every minute. */
function Expiry({ client, createdAt, expiresAt }: { client: Client; createdAt: number; expiresAt: number }) {
  useStore(everyMinute)
  const { text, soon, left } = expiryOf({ createdAt, expiresAt }, client.now())
  return (
    <span className={soon ? 'soon' : undefined}>
      <ExpiryRing left={left} />
      {text}
    </span>
  )
}

const minute = 60_000
const hour = 60 * minute

interface ExpiryState {
  text: string
  /** Less than an hour is left: shown in amber. */
  soon: boolean
  /** Remaining fraction of the message's lifetime, 0 to 1. */
  left: number
}

/** Text such as 'disappears in 19 h', in minutes below one hour. Times are in milliseconds. */
export function expiryOf({ createdAt, expiresAt }: { createdAt: number; expiresAt: number }, now: number): ExpiryState {
  const rest = Math.max(0, expiresAt - now)
  const life = Math.max(1, expiresAt - createdAt)
  return { text: messageTexts.expiry(duration(rest)), soon: rest < hour, left: Math.min(1, rest / life) }
}

function duration(rest: number): string {
  // Round to the nearest hour, so that a new message shows 24.
  if (rest >= hour) return messageTexts.hours(Math.round(rest / hour))
  const minutes = Math.floor(rest / minute)
  return minutes > 0 ? messageTexts.minutes(minutes) : messageTexts.underMinute
}
