import { normaliseCode } from '@privity/contract/connectionCode'
import type { Connection } from '@privity/contract/connections'
import { AppError } from '@privity/contract/errors'
import { auditCall } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { newId } from '../../core/ids.ts'
import { type Count, countFailure } from '../../core/rateLimits/outcomes.ts'
import { networkOf } from '../../core/rateLimits/rateLimits.ts'
import { recordSecurityEvent } from '../../core/audit/securityEvents.ts'
import { addNotification } from '../notifications/notifications.ts'
import { isAvailable, toConnection } from './connections.ts'
import { deleteRequests } from './directory/endRequests.ts'
import { requireMembership } from './membership.ts'
import {
  deleteFormerPair,
  hasBlocked,
  inPairOrder,
  insertConnection,
  type ParticipantRow,
  selectByConnectionCode,
  selectPair,
  selectParticipant,
} from './queries.ts'
import { loadVisibility } from './visibility.ts'

/**
 * Connects two members, by a code or by an accepted request. If the contact has blocked the caller, throws the same
 * error as for an unknown code.
 */
export async function connect(core: Core, tx: Tx, caller: Caller, contact: ParticipantRow): Promise<Connection> {
  if (contact.id === caller.userId) throw new AppError('CODE_OWN')
  // Checks the caller's own block first: no response may reveal a block by the contact.
  if (await hasBlocked(tx, caller.userId, contact.id)) throw new AppError('PERSON_BLOCKED')
  if (await hasBlocked(tx, contact.id, caller.userId)) throw new AppError('CODE_UNKNOWN')
  const [first, second] = inPairOrder(caller.userId, contact.id)
  if ((await selectPair(tx, first, second)) !== undefined) throw new AppError('ALREADY_CONNECTED')
  if (!isAvailable(contact)) throw new AppError('PEER_UNAVAILABLE')
  const me = await selectParticipant(tx, caller.userId)
  if (me === undefined) throw new AppError('NOT_SIGNED_IN')
  const now = core.clock.now()
  const id = newId(now)
  await insertConnection(tx, id, first, second, now)
  await deleteFormerPair(tx, first, second)
  await deleteRequests(tx, core, first, second)
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

/** An attempt counts for the account and for its network. */
const attemptsOf = (caller: Caller): Count[] => [
  ['unknownCode', `account ${caller.userId}`],
  ['unknownCode', `address ${networkOf(caller.address)}`],
]

const isUnknownCode = (error: unknown) => error instanceof AppError && error.code === 'CODE_UNKNOWN'

/** Records a security event once the caller has used up the unknown codes they may try. */
async function reportGuessing(core: Core, caller: Caller): Promise<void> {
  try {
    for (const [rule, key] of attemptsOf(caller)) core.rates.check(rule, key)
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
  const code = normaliseCode(typed)
  const connectWithOwner = async (tx: Tx) => {
    const contact = code === undefined ? undefined : await selectByConnectionCode(tx, code)
    if (contact === undefined) throw new AppError('CODE_UNKNOWN')
    return connect(core, tx, caller, contact)
  }
  try {
    return await countFailure(core.rates, attemptsOf(caller), isUnknownCode, () => core.db.write(connectWithOwner))
  } catch (error) {
    if (isUnknownCode(error)) await reportGuessing(core, caller)
    throw error
  }
}
