import type { Quote } from '@privity/client'
import { createStore, type Store } from '@privity/client/store'
import { whenMemberLeaves } from '../../../app/session.ts'

type Replies = ReadonlyMap<string, Quote>

/** The quote that goes with the text in the field of a conversation, by connection. Lost with the page. */
const replies = createStore<Replies>(new Map())
export const repliesByConnection: Store<Replies> = replies

export function setReply(connectionId: string, quote: Quote | undefined): void {
  const next = new Map(replies.get())
  if (quote) next.set(connectionId, quote)
  else next.delete(connectionId)
  replies.set(next)
}

whenMemberLeaves(() => replies.set(new Map()))
