import { memo, useId, useEffect, useRef } from 'react'
import { CircleAlert, Clock } from 'lucide-react'
import type { Client, DecryptedMessage, OutboxItem } from '@privity/client'
import { translated } from '../../../app/callError.ts'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { useStore } from '../../../ui/useStore.ts'
import { classes } from '../../../ui/classes.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { messageTexts as texts } from '../texts.ts'
import { Quotation } from './MessageRow.tsx'
import { LinkButton } from '../../../ui/button/Button.tsx'

interface OutboxRowProps {
  client: Client
  item: OutboxItem
  /** Full name of the contact. */
  otherName: string
  /** The message that it quotes, where the page shows that. */
  original: DecryptedMessage | undefined
  turn: boolean
  tail: boolean
}

/** A message that the server has not stored yet. */
export const OutboxRow = memo(function OutboxRow({ client, item, turn, tail, ...quoted }: OutboxRowProps) {
  const { body } = item
  return (
    <article className={classes('msg own', turn && 'turn', tail && 'tail')} aria-label={texts.you}>
      <div className="bubble" dir="auto">
        {body.kind === 'text' && <Quotation {...quoted} client={client} sender={texts.you} quote={body.quote} />}
        {body.kind === 'text' ? body.text : texts.fileLabel(body.name)}
      </div>
      <State client={client} item={item} tail={tail} />
    </article>
  )
})

function State({ client, item, tail }: { client: Client; item: OutboxItem; tail: boolean }) {
  if (item.state === 'failed') return <Failed client={client} item={item} />
  if (item.state === 'waiting' && item.error) return <HeldBack client={client} item={item} />
  return tail && <Sending client={client} item={item} />
}

function Sending({ client, item }: { client: Client; item: OutboxItem }) {
  const live = useStore(client.live)
  const waiting = item.state === 'waiting'
  return (
    <div className="meta">
      <span>
        <Clock className="ic ic-sm" />
        {waiting && live !== 'connected' ? texts.sendingLater : texts.sending}
      </span>
    </div>
  )
}

async function discard(client: Client, { id }: OutboxItem): Promise<void> {
  await client.messages.discard(id)
  toast({ title: texts.discarded, tone: 'info' })
}

/** A message that waits because the contact is away, or because this browser may publish no epoch yet. */
function HeldBack({ client, item }: { client: Client; item: OutboxItem }) {
  const id = useId()
  const { formatDate, formatTime } = useDateTime()
  const { until } = item
  return (
    <>
      <div className="meta">
        <span>
          <Clock className="ic ic-sm" />
          {texts.waiting}
        </span>
        <LinkButton aria-describedby={id} onClick={() => void discard(client, item)}>
          {texts.discard}
        </LinkButton>
      </div>
      <p className="meta" id={id}>
        {until === undefined ? failureReason(item) : texts.waitsUntil(`${formatDate(until)}, ${formatTime(until)}`)}
      </p>
    </>
  )
}

function Failed({ client, item }: { client: Client; item: OutboxItem }) {
  const id = useId()
  const reason = failureReason(item)
  const isUnknown = item.code === 'ARRIVAL_UNKNOWN'
  const described = reason === undefined ? {} : { 'aria-describedby': id }
  return (
    <>
      <div className="meta">
        {isUnknown ? (
          <span id={id}>{reason}</span>
        ) : (
          <span className="fail">
            <CircleAlert className="ic ic-sm" />
            {texts.failed}
          </span>
        )}
        {!item.isFinal && (
          <LinkButton {...described} onClick={() => void client.messages.retry(item.id)}>
            {texts.tryAgain}
          </LinkButton>
        )}
        <LinkButton {...described} onClick={() => void discard(client, item)}>
          {texts.discard}
        </LinkButton>
      </div>
      {reason !== undefined && !isUnknown && (
        <p className="meta" id={id}>
          {reason}
        </p>
      )}
    </>
  )
}

/** The reason for a failure, or for waiting, in the language of the interface. */
export const failureReason = ({ code, error }: OutboxItem): string | undefined =>
  code !== undefined && error !== undefined ? translated({ code, sentence: error }) : error

/** Shows a toast when a message of any conversation fails to send; it can be retried in its conversation. */
export function useFailedSends(client: Client): void {
  const known = useRef(new Set<string>())
  useEffect(() => {
    const failedNow = () => client.outbox.get().filter((item) => item.state === 'failed')
    known.current = new Set(failedNow().map((item) => item.id))
    return client.outbox.subscribe(() => {
      const failed = failedNow()
      const fresh = failed.find((item) => !known.current.has(item.id))
      known.current = new Set(failed.map((item) => item.id))
      if (!fresh) return
      const reason = failureReason(fresh)
      if (fresh.code === 'ARRIVAL_UNKNOWN') toast({ title: reason ?? texts.failed, tone: 'destructive' })
      else toast({ title: texts.failed, description: reason, tone: 'destructive' })
    })
  }, [client])
}
