import { AppError } from '@privity/contract/errors'
import type { Result } from '@privity/contract/endpoint'
import { isKept, type notifications as contract } from '@privity/contract/notifications'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { deleteEarliest, deleteInBatches } from '../../core/jobs/rowDeletion.ts'
import type { Job } from '../../core/jobs/scheduler.ts'
import { notifyNotificationsChanged, toNotification } from './notifications.ts'
import { countUnread, deleteOne, deleteOwn, selectOne, selectPage, setRead } from './queries.ts'

/** Sorts after every id. */
const maxId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const unreadOf = async (db: Reader, { clock }: Core, { userId, sessionId }: Caller) => ({
  unread: await countUnread(db, userId, sessionId, clock.now()),
})

export async function listNotifications(
  core: Core,
  caller: Caller,
  { limit, before = maxId }: { limit: number; before?: string | undefined },
): Promise<Result<typeof contract.list>> {
  const { read } = core.db
  const rows = await selectPage(read, caller.userId, before, core.clock.now(), limit + 1)
  return {
    notifications: rows.slice(0, limit).flatMap((row) => toNotification(row, caller.sessionId) ?? []),
    more: rows.length > limit,
    ...(await unreadOf(read, core, caller)),
  }
}

/** A call that changes nothing writes no audit entry and sends no notice. */
async function recordChange(tx: Tx, core: Core, caller: Caller, action: string, count: number): Promise<void> {
  if (count === 0) return
  const { userId: actorId, address } = caller
  await audit(tx, { action, actorId, address, details: { count }, at: core.clock.now() })
  notifyNotificationsChanged(tx, core, actorId)
}

export const markRead = (core: Core, caller: Caller, ids: readonly string[] | undefined) =>
  core.db.write(async (tx) => {
    const { changes } = await setRead(tx, caller.userId, ids)
    await recordChange(tx, core, caller, 'notifications_read', changes)
    return unreadOf(tx, core, caller)
  })

export const clearNotifications = (core: Core, caller: Caller, newest: string = maxId) =>
  core.db.write(async (tx) => {
    const { changes } = await deleteOwn(tx, caller.userId, newest, core.clock.now())
    await recordChange(tx, core, caller, 'notifications_cleared', changes)
    return unreadOf(tx, core, caller)
  })

export const removeNotification = (core: Core, caller: Caller, id: string): Promise<void> =>
  core.db.write(async (tx) => {
    const found = await selectOne(tx, id)
    if (found?.user_id !== caller.userId) throw new AppError('NOT_FOUND')
    if (isKept({ kind: found.kind, createdAt: found.created_at }, core.clock.now()))
      throw new AppError('NOTIFICATION_KEPT')
    const { changes } = await deleteOne(tx, caller.userId, id)
    await recordChange(tx, core, caller, 'notification_removed', changes)
  })

/** Rows deleted in one transaction: a few milliseconds of work. */
const batchSize = 100

export const notificationJobs: Job[] = [
  {
    name: 'delete old notifications',
    every: 60_000,
    run: ({ db, clock }, stopping) =>
      deleteInBatches(db, batchSize, (tx) => deleteEarliest(tx, 'notifications', clock.now(), batchSize), stopping),
  },
]
