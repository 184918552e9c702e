import { normaliseCode } from '@privity/contract/connectionCode'
import type { Connection } from '@privity/contract/connections'
import { AppError } from '@privity/contract/errors'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { newId } from '../../core/ids.ts'
import { networkOf } from '../../core/rateLimits/rateLimits.ts'
import { recordSecurityEvent } from '../../core/audit/securityEvents.ts'
import { hasBlocked } from './blockQueries.ts'
import { addNotification } from '../notifications/notifications.ts'
import { isAvailable, toConnection } from './connections.ts'
import { deleteFormerPair } from './formerContactQueries.ts'
import { membership } from './membership.ts'
import { insertConnection, type PartyRow, selectByCode, selectPair, selectParty } from './queries.ts'
import { visibilityAmong } from './visibility.ts'

/** Undefined where the code's owner has blocked the caller, who gets the same error as for an unknown code. */
async function connect(core: Core, tx: Tx, caller: Caller, peer: PartyRow): Promise<Connection | undefined> {
  if (peer.id === caller.userId) throw new AppError('CODE_OWN')
  // Checks the caller's own block first: no response may reveal a block by the contact.
  if (await hasBlocked(tx, caller.userId, peer.id)) throw new AppError('PERSON_BLOCKED')
  if (await hasBlocked(tx, peer.id, caller.userId)) return undefined
  const [first, second] = peer.id < caller.userId ? [peer.id, caller.userId] : [caller.userId, peer.id]
  if ((await selectPair(tx, first, second)) !== undefined) throw new AppError('ALREADY_CONNECTED')
  if (!isAvailable(peer)) throw new AppError('PEER_UNAVAILABLE')
  const me = await selectParty(tx, caller.userId)
  if (me === undefined) throw new AppError('NOT_SIGNED_IN')
  const now = core.clock.now()
  const id = newId(now)
  await insertConnection(tx, id, first, second, now)
  await deleteFormerPair(tx, first, second)
  await audit(tx, {
    action: 'connection_created',
    actorId: caller.userId,
    targetId: peer.id,
    address: caller.address,
    details: { connectionId: id },
    at: now,
  })
  await addNotification(tx, core, peer.id, { kind: 'connection_created', connectionId: id, peerId: caller.userId })
  const { connection: row, side } = await membership(tx, id, caller.userId)
  const users = side === 1 ? ([me, peer] as const) : ([peer, me] as const)
  const seen = await visibilityAmong(tx, [me.id, peer.id])
  const viewOf = (viewerId: string) => toConnection(core, row, users, (memberId) => seen(memberId, viewerId))
  tx.afterCommit(() => {
    for (const { id: viewerId } of users)
      core.sockets.notify(viewerId, { type: 'connection_created', connection: viewOf(viewerId) })
  })
  return viewOf(me.id)
}

/** Counts an attempt for the account and for its network; returns a function that gives both back. */
function countAttempt({ rates }: Core, caller: Caller): () => void {
  const giveBack = rates.take('unknownCode', `account ${caller.userId}`)
  try {
    const other = rates.take('unknownCode', `address ${networkOf(caller.address)}`)
    return () => {
      giveBack()
      other()
    }
  } catch (error) {
    giveBack()
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
  const giveBack = countAttempt(core, caller)
  const code = normaliseCode(typed)
  let connection: Connection | undefined
  try {
    connection = await core.db.write(async (tx) => {
      const peer = code === undefined ? undefined : await selectByCode(tx, code)
      return peer === undefined ? undefined : connect(core, tx, caller, peer)
    })
  } catch (error) {
    giveBack()
    throw error
  }
  if (connection === undefined) {
    await reportGuessing(core, caller)
    throw new AppError('CODE_UNKNOWN')
  }
  giveBack()
  return connection
}
