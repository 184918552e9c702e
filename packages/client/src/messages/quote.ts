import type { MessageBody } from '@privity/e2ee'
import type { BrowserMemory } from './browserMemory.ts'

/** Lets a quote end with its message, where this browser has shown that one: the sender may have said otherwise. */
export async function withKnownExpiry(
  body: MessageBody,
  connectionId: string,
  { expiryOf }: Pick<BrowserMemory, 'expiryOf'>,
): Promise<MessageBody> {
  if (body.kind !== 'text' || body.quote === undefined) return body
  const { messageId: id, expiresAt } = body.quote
  const known = await Promise.all([true, false].map((mine) => expiryOf({ connectionId, id, mine })))
  return { ...body, quote: { ...body.quote, expiresAt: Math.min(expiresAt, ...known.map((each) => each ?? Infinity)) } }
}

/** Leaves out a quote whose message has expired: a text may have waited that long to be sent. */
export const withoutExpiredQuote = (body: MessageBody, now: number): MessageBody =>
  body.kind === 'text' && body.quote !== undefined && body.quote.expiresAt <= now
    ? { kind: 'text', text: body.text }
    : body
