import { normaliseCode } from '@privity/contract/connectionCode'
import type { Connection } from '@privity/contract/connections'
import { AppError } from '@privity/contract/errors'
import { auditCall } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { newId } from '../../core/ids.ts'
import { networkOf } from '../../core/rateLimits/rateLimits.ts'
import { recordSecurityEvent } from '../../core/audit/securityEvents.ts'
import { addNotification } from '../notifications/notifications.ts'
import { isAvailable, toConnection } from './connections.ts'
import { requireMembership } from './membership.ts'
import {
  deleteFormerPair,
  hasBlocked,
  insertConnection,
  type ParticipantRow,
  selectByConnectionCode,
  selectPair,
  selectParticipant,
} from './queries.ts'
import { loadVisibility } from './visibility.ts'

/** Returns undefined if the contact has blocked the caller, who then gets the same error as for an unknown code. */
async function connect(core: Core, tx: Tx, caller: Caller, contact: ParticipantRow): Promise<Connection | undefined> {
  if (contact.id === caller.userId) throw new AppError('CODE_OWN')
  // Checks the caller's own block first: no response may reveal a block by the contact.
  if (await hasBlocked(tx, caller.userId, contact.id)) throw new AppError('PERSON_BLOCKED')
  if (await hasBlocked(tx, contact.id, caller.userId)) return undefined
  const [first, second] = contact.id < caller.userId ? [contact.id, caller.userId] : [caller.userId, contact.id]
  if ((await selectPair(tx, first, second)) !== undefined) throw new AppError('ALREADY_CONNECTED')
  if (!isAvailable(contact)) throw new AppError('PEER_UNAVAILABLE')
  const me = await selectParticipant(tx, caller.userId)
  if (me === undefined) throw new AppError('NOT_SIGNED_IN')
  const now = core.clock.now()
  const id = newId(now)
  await insertConnection(tx, id, first, second, now)
  await deleteFormerPair(tx, first, second)
  await auditCall(tx, caller, {
    action: 'connection_created',
    targetId: contact.id,
    details: { connectionId: id },
    at: now,
  })
  await addNotification(tx, core, contact.id, { kind: 'connection_created', connectionId: id, peerId: caller.userId })
  const { connection: row, side } = await requireMembership(tx, id, caller.userId)
  const users = side === 1 ? ([me, contact] as const) : ([contact, me] as const)
  const visibleParts = await loadVisibility(tx, [me.id, contact.id])
  const viewOf = (viewerId: string) => toConnection(core, row, users, (memberId) => visibleParts(memberId, viewerId))
  tx.afterCommit(() => {
    for (const { id: viewerId } of users)
      core.sockets.notify(viewerId, { type: 'connection_created', connection: viewOf(viewerId) })
  })
  return viewOf(me.id)
}

/** Counts an attempt for the account and for its network; returns a function that takes both back. */
function countAttempt({ rates }: Core, caller: Caller): () => void {
  const uncountAccount = rates.take('unknownCode', `account ${caller.userId}`)
  try {
    const uncountNetwork = rates.take('unknownCode', `address ${networkOf(caller.address)}`)
    return () => {
      uncountAccount()
      uncountNetwork()
    }
  } catch (error) {
    uncountAccount()
    throw error
  }
}

/** Records a security event once the caller has used up the unknown codes they may try. */
async function reportGuessing(core: Core, caller: Caller): Promise<void> {
  try {
    countAttempt(core, caller)()
  } catch {
    await core.db.write((tx) =>
      recordSecurityEvent(tx, {
        type: 'code_guessing',
        severity: 'medium',
        description: 'Too many unknown connection codes',
        userId: caller.userId,
        address: caller.address,
        at: core.clock.now(),
      }),
    )
  }
}

/**
 * Connects the caller with the owner of a code. Counts the attempt before the lookup, so parallel guesses cannot exceed
 * the limit; only unknown codes stay counted.
 */
export async function connectByCode(core: Core, caller: Caller, typed: string): Promise<Connection> {
  const uncount = countAttempt(core, caller)
  const code = normaliseCode(typed)
  let connection: Connection | undefined
  try {
    connection = await core.db.write(async (tx) => {
      const contact = code === undefined ? undefined : await selectByConnectionCode(tx, code)
      return contact === undefined ? undefined : connect(core, tx, caller, contact)
    })
  } catch (error) {
    uncount()
    throw error
  }
  if (connection === undefined) {
    await reportGuessing(core, caller)
    throw new AppError('CODE_UNKNOWN')
  }
  uncount()
  return connection
}
