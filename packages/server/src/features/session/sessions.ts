import { AppError } from '@privity/contract/errors'
import type { SignedInSession, SignedInUser } from '@privity/contract/session'
import { audit, auditCall } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Caller } from '../../core/http/guards.ts'
import type { SessionRow } from '../../core/database/tables/sessions.ts'
import { getUser, toUser } from './users.ts'

/** The caller with their session, whose share no other session gets. */
export async function getSignedInUser(
  core: Core,
  { userId, sessionId, sharedComputer }: Caller,
): Promise<SignedInUser> {
  const user = toUser(await getUser(core.db.read, userId))
  const row = await core.db.read.get<Pick<SessionRow, 'key_share'>>(
    'select key_share from sessions where id = ? and user_id = ?',
    [sessionId, userId],
  )
  // It has ended since the call was authorized.
  if (row === undefined) throw new AppError('NOT_SIGNED_IN')
  const keyShare = core.secrets.decryptAtRest(row.key_share)
  return { ...user, session: { id: sessionId, keyShare, ...(sharedComputer && { sharedComputer }) } }
}

/**
 * The caller's sessions, newest first; sessions past their limits are left out even before they are deleted. A use in
 * another process during the last minute may not show yet.
 */
export async function listSessions(core: Core, caller: Caller): Promise<SignedInSession[]> {
  const rows = await core.db.read.all<SessionRow>(
    'select * from sessions where user_id = ? order by created_at desc, id desc',
    [caller.userId],
  )
  const now = core.clock.now()
  const sessions = rows.map((row) => {
    const current = row.id === caller.sessionId
    return { row, current, lastUsedAt: current ? now : Math.max(row.last_used_at, core.sessions.usedAt(row.id)) }
  })
  return sessions
    .filter(
      ({ row, current, lastUsedAt }) =>
        current || (lastUsedAt + row.idle_limit > now && row.created_at + row.life_limit > now),
    )
    .map(({ row, current, lastUsedAt }) => ({
      id: row.id,
      current,
      createdAt: row.created_at,
      lastUsedAt,
      address: row.address,
      device: row.device,
    }))
}

export function endSession(core: Core, caller: Caller, id: string): Promise<void> {
  return core.db.write(async (tx) => {
    const ended = await core.sessions.end(tx, caller.userId, { id })
    if (ended === 0) throw new AppError('NOT_FOUND')
    const { userId: actorId, address } = caller
    await audit(tx, { action: 'session_ended', actorId, targetId: id, address, at: core.clock.now() })
  })
}

export function endOtherSessions(core: Core, { userId, sessionId, address }: Caller): Promise<{ ended: number }> {
  return core.db.write(async (tx) => {
    const ended = await core.sessions.end(tx, userId, { except: sessionId })
    const details = { ended }
    await audit(tx, { action: 'other_sessions_ended', actorId: userId, address, details, at: core.clock.now() })
    return { ended }
  })
}

export function signOut(core: Core, caller: Caller): Promise<void> {
  return core.db.write(async (tx) => {
    await core.sessions.end(tx, caller.userId, { id: caller.sessionId })
    await auditCall(tx, caller, { action: 'signed_out', at: core.clock.now() })
  })
}
