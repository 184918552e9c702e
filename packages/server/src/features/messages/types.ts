import type { Received } from '@privity/contract/endpoint'
import type { Message, messages as contract } from '@privity/contract/messages'
import type { SealedMessageForm } from '@privity/contract/sealedMessage'
import type { Caller } from '../../core/http/guards.ts'
import type { SendFacts } from './sendQueries.ts'

export interface SendOutcome {
  message: Message
  /** The same message was stored before: a retry after a lost response. */
  isRepeated: boolean
}

/** A message that a member sends. */
export interface Sending {
  caller: Caller
  userId: string
  body: Received<typeof contract.send>['body']
  sealed: SealedMessageForm
  /** The facts about both users under which its signature was verified. */
  verifiedUnder?: SendFacts
}
