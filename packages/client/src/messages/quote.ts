import type { MessageBody } from '@privity/e2ee'

/** Lets a quote end with its message, where this browser has shown that one: the sender may have said otherwise. */
export async function withKnownExpiry(
  body: MessageBody,
  expiryOf: (id: string) => Promise<number | undefined>,
): Promise<MessageBody> {
  if (body.kind !== 'text' || body.quote === undefined) return body
  const known = (await expiryOf(body.quote.messageId)) ?? Infinity
  return { ...body, quote: { ...body.quote, expiresAt: Math.min(body.quote.expiresAt, known) } }
}

/** Leaves out a quote whose message has expired: a text may have waited that long to be sent. */
export const withoutExpiredQuote = (body: MessageBody, now: number): MessageBody =>
  body.kind === 'text' && body.quote !== undefined && body.quote.expiresAt <= now
    ? { kind: 'text', text: body.text }
    : body
