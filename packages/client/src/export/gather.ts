import type { Connection } from '@privity/contract/connections'
import { limits } from '@privity/contract/limits'
import { privacy as contract } from '@privity/contract/privacy'
import type { Call } from '../transport/call.ts'
import { isCallError, isPassing } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'
import type { Drafts } from '../messages/drafts.ts'
import type { Reading } from '../messages/decrypt.ts'
import type { TrustCalls } from '../trust/trust.ts'
import type { OpenedMessage, Trust } from '../types.ts'
import { createPatience } from './retryAfter.ts'
import type { Conversation, ExportOptions, Gathered } from './types.ts'

export interface ExportDeps {
  call: Call
  clock: Clock
  /** The connections whose people are those the user knows. */
  connections(): Promise<Connection[]>
  reading: Reading
  trust: TrustCalls
  drafts: Drafts
}

/** Asks the server for the account's own data, which it refuses while they are switched off, and opens the rest here. */
export async function gather(
  { call, clock, connections, reading, trust, drafts }: ExportDeps,
  { signal, onProgress }: Pick<ExportOptions, 'signal' | 'onProgress'>,
): Promise<Gathered> {
  const patiently = createPatience(clock, signal)
  signal.throwIfAborted()
  // Not patiently: whoever has made too many exports would wait for an hour.
  const account = await call(contract.createExport, {})
  const ownId = account.profile.id
  const open = await patiently(connections)
  const conversations: Conversation[] = []
  let messages = 0
  const report = () => onProgress?.({ conversations: conversations.length, of: open.length, messages })

  async function readAll(connectionId: string): Promise<OpenedMessage[]> {
    const found: OpenedMessage[] = []
    for (let before: number | undefined; ;) {
      const page = await patiently(() => reading.list(connectionId, { before, limit: limits.messagesPageMost }))
      found.unshift(...page)
      messages += page.length
      report()
      before = page[0]?.seq
      if (before === undefined || page.length < limits.messagesPageMost) return found
    }
  }

  async function trustIn(connectionId: string): Promise<Trust | undefined> {
    try {
      return await patiently(() => trust.state(connectionId))
    } catch (error) {
      if (signal.aborted || isPassing(error) || !isCallError(error) || error.code === 'CONNECTION_NOT_FOUND')
        throw error
      return undefined
    }
  }

  async function take(connection: Connection): Promise<void> {
    const { id, user1, user2 } = connection
    const read = await readAll(id)
    conversations.push({
      connection,
      party: user1.id === ownId ? user2 : user1,
      trust: await trustIn(id),
      messages: read,
      draft: await drafts.get(id),
    })
  }

  report()
  for (const connection of open) {
    try {
      await take(connection)
    } catch (error) {
      // Removed meanwhile, by either side: nothing of it is left to give.
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
