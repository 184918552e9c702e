import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type Client, type DecryptedMessage, quotableText, type Quote } from '@privity/client'
import { Button } from '../../../ui/button/Button.tsx'
import { watchMoment } from '../message/useExpiryFade.ts'
import { historyQuery } from '../queries.ts'
import { setReply } from './reply.ts'
import { quoteTexts as texts } from './texts.ts'
import './quote.css'

export interface QuotedProps {
  client: Client
  quote: Quote
  /** The quoted message, where the page shows it. */
  original: DecryptedMessage | undefined
  /** The sender of the message with the quote. */
  sender: string
  /** Full name of the contact. */
  otherName: string
}

function goTo(messageId: string): void {
  const row = document.querySelector<HTMLElement>(`[data-message="${messageId}"]`)
  row?.scrollIntoView({ block: 'center' })
  row?.animate([{ opacity: 0.3 }, { opacity: 1 }], { duration: 600 })
}

/** A quote says what the page itself shows of the quoted message; else what its sender says, until that has expired. */
export function Quoted({ client, quote, original, sender, otherName }: QuotedProps) {
  const isExpired = useIsExpired(client, quote.expiresAt)
  const text = original?.body.kind === 'deleted' ? texts.deleted : original && quotableText(original)
  if (original && text !== undefined)
    return (
      <button type="button" className="quote" dir="auto" onClick={() => goTo(original.id)}>
        <b>{original.mine ? texts.you : otherName}</b>
        <span dir="auto">{text}</span>
      </button>
    )
  return (
    <div className="quote" dir="auto">
      <b>{isExpired ? texts.quoteExpired : texts.quotedBy(sender)}</b>
      {!isExpired && <span dir="auto">{quote.excerpt}</span>}
    </div>
  )
}

function useIsExpired(client: Client, expiresAt: number): boolean {
  const [expired, setExpired] = useState<number>()
  useEffect(
    () => watchMoment({ at: expiresAt, now: client.now, reached: () => setExpired(expiresAt) }),
    [client, expiresAt],
  )
  return expired === expiresAt || client.now() >= expiresAt
}

interface ReplyBarProps {
  client: Client
  connectionId: string
  quote: Quote
  /** Full name of the contact. */
  otherName: string
}

/** The message that is replied to, above the composer's field. It goes with that message. */
export function ReplyBar({ client, connectionId, quote, otherName }: ReplyBarProps) {
  const messages = useQuery(historyQuery(client, connectionId)).data?.messages
  const original = messages?.find(({ id }) => id === quote.messageId)
  const isGone = messages !== undefined && (original === undefined || quotableText(original) === undefined)
  useEffect(() => {
    if (isGone) setReply(connectionId, undefined)
  }, [isGone, connectionId])
  return (
    <div className="reply">
      <div className="quote">
        <b>{texts.replyTo(original?.mine ? texts.you : otherName)}</b>
        <span dir="auto">{quote.excerpt}</span>
      </div>
      <Button variant="ghost" icon aria-label={texts.removeQuote} onClick={() => setReply(connectionId, undefined)}>
        <X className="ic" />
      </Button>
    </div>
  )
}
