import type { Connection } from '@privity/contract/connections'
import { limits } from '@privity/contract/limits'
import { privacy as contract } from '@privity/contract/privacy'
import type { Call } from '../transport/call.ts'
import { isCallError, isRetryable } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'
import type { Drafts } from '../messages/drafts.ts'
import type { DecryptedMessages } from '../messages/decrypt.ts'
import type { TrustCalls } from '../trust/types.ts'
import type { DecryptedMessage, Trust } from '../types.ts'
import { createRetryAfter } from './retryAfter.ts'
import type { Conversation, ExportOptions, ExportData } from './types.ts'

export interface ExportDeps {
  call: Call
  clock: Clock
  /** The connections whose participants match the accepted keys. */
  connections(): Promise<Connection[]>
  decryptedMessages: DecryptedMessages
  trust: TrustCalls
  drafts: Drafts
}

/**
 * Loads the account's data from the server, which refuses while data downloads are off, and decrypts the conversations
 * here.
 */
export async function gatherData(
  { call, clock, connections, decryptedMessages, trust, drafts }: ExportDeps,
  { signal, onProgress }: Pick<ExportOptions, 'signal' | 'onProgress'>,
): Promise<ExportData> {
  const retryAfter = createRetryAfter(clock, signal)
  signal.throwIfAborted()
  // Not retried: after too many exports the wait would be an hour.
  const account = await call(contract.createExport, {})
  const ownId = account.profile.id
  const open = await retryAfter(connections)
  const conversations: Conversation[] = []
  let messages = 0
  const report = () => onProgress?.({ conversations: conversations.length, of: open.length, messages })

  async function readAll(connectionId: string): Promise<DecryptedMessage[]> {
    const found: DecryptedMessage[] = []
    for (let before: number | undefined; ;) {
      const page = await retryAfter(() =>
        decryptedMessages.list(connectionId, { before, limit: limits.maxMessagesPage }),
      )
      found.unshift(...page)
      messages += page.length
      report()
      before = page[0]?.seq
      if (before === undefined || page.length < limits.maxMessagesPage) return found
    }
  }

  async function trustOf(connectionId: string): Promise<Trust | undefined> {
    try {
      return await retryAfter(() => trust.state(connectionId))
    } catch (error) {
      if (signal.aborted || isRetryable(error) || !isCallError(error) || error.code === 'CONNECTION_NOT_FOUND')
        throw error
      return undefined
    }
  }

  async function addConversation(connection: Connection): Promise<void> {
    const { id, user1, user2 } = connection
    const history = await readAll(id)
    conversations.push({
      connection,
      party: user1.id === ownId ? user2 : user1,
      trust: await trustOf(id),
      messages: history,
      draft: await drafts.get(id),
    })
  }

  report()
  for (const connection of open) {
    try {
      await addConversation(connection)
    } catch (error) {
      // The connection was removed meanwhile, so nothing of it can be exported.
      if (!isCallError(error, 'CONNECTION_NOT_FOUND')) throw error
    }
    report()
  }
  signal.throwIfAborted()
  const now = clock.now()
  const alive = conversations.map((each) => ({
    ...each,
    messages: each.messages.filter(({ expiresAt }) => expiresAt > now),
  }))
  return { account, conversations: alive }
}
