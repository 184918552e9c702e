import type { FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { FounderBrowser } from '@privity/contract/founder/session'
import { limits } from '@privity/contract/limits'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import type { Founder } from '../../../core/http/guards.ts'
import type { Job } from '../../../core/jobs/scheduler.ts'
import { correctDates, deleteExpiredTickets, deleteEndedSessions, deleteSession, selectSessions } from './queries.ts'

export async function listSessions(core: Core, { sessionId }: Founder): Promise<FounderBrowser[]> {
  const now = core.clock.now()
  const rows = await selectSessions(core.db.read, now - limits.founderSessionIdle)
  return rows.map((row) => ({
    id: row.id,
    current: row.id === sessionId,
    createdAt: row.created_at,
    lastUsedAt: row.id === sessionId ? now : row.last_used_at,
    address: row.address,
    device: row.device,
  }))
}

export function endSession(core: Core, { address }: Founder, id: string): Promise<void> {
  return core.db.write(async (tx) => {
    if ((await deleteSession(tx, core.db, id)).changes === 0) throw new AppError('NOT_FOUND')
    const at = core.clock.now()
    await audit(tx, { action: 'founder_session_ended', actorId: 'founder', targetId: id, address, at })
  })
}

/** Does nothing if nobody is signed in. */
export async function signOut(core: Core, request: FastifyRequest): Promise<void> {
  const session = await core.founderSessions.find(request.headers.cookie, true)
  if (session === undefined) return
  await core.db.write(async (tx) => {
    if ((await deleteSession(tx, core.db, session.id)).changes === 0) return
    await audit(tx, { action: 'founder_signed_out', actorId: 'founder', address: request.ip, at: core.clock.now() })
  })
}

async function endIdleSessions({ db, clock }: Core): Promise<void> {
  await db.write(async (tx) => {
    // Read inside the write: a use stored while it waited is not in the future.
    const now = clock.now()
    await correctDates(tx, now)
    const ended = await deleteEndedSessions(tx, now - limits.founderSessionIdle, now - limits.sessionLife)
    if (ended.changes > 0) tx.afterCommit(db.emptyLogSoon)
    await deleteExpiredTickets(tx, now)
  })
}

export const founderSessionJobs: Job[] = [
  { name: 'end idle sessions of the founder', every: 60_000, run: endIdleSessions },
]
