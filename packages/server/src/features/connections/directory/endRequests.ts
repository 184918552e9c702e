import { limits } from '@privity/contract/limits'
import type { Core } from '../../../core/core.ts'
import type { Tx } from '../../../core/database/types.ts'
import { deleteEarliest, deleteInBatches } from '../../../core/jobs/rowDeletion.ts'
import type { Job } from '../../../core/jobs/scheduler.ts'
import { deleteRequestNotification } from '../../notifications/notifications.ts'
import { deleteOfOrganization, deleteOfPair, selectRequest, updateRequest } from './queries.ts'

export const notifyRequestsChanged = (tx: Tx, core: Core, userIds: string | readonly string[]): void =>
  tx.afterCommit(() => core.sockets.notify(userIds, { type: 'requests_changed' }))

/** Deletes the requests between two members who are connected now. */
export async function deleteRequests(tx: Tx, core: Core, one: string, other: string): Promise<void> {
  const { changes } = await deleteOfPair(tx, one, other)
  if (changes === 0) return
  await deleteRequestNotification(tx, core, one, other)
  await deleteRequestNotification(tx, core, other, one)
  notifyRequestsChanged(tx, core, [one, other])
}

/** Declines a request. To its sender it stays open until it expires, and nobody notifies them. */
export async function declineRequest(
  tx: Tx,
  core: Core,
  { id, from_id, to_id, expires_at }: { id: string; from_id: string; to_id: string; expires_at: number },
): Promise<void> {
  await updateRequest(tx, id, 'declined', expires_at)
  await deleteRequestNotification(tx, core, from_id, to_id)
  notifyRequestsChanged(tx, core, to_id)
}

/** Withdraws a request; its sender can ask the same person again after a day. */
export async function withdrawRequest(
  tx: Tx,
  core: Core,
  { id, from_id, to_id }: { id: string; from_id: string; to_id: string },
): Promise<void> {
  await updateRequest(tx, id, 'withdrawn', core.clock.now())
  await deleteRequestNotification(tx, core, from_id, to_id)
  notifyRequestsChanged(tx, core, [from_id, to_id])
}

/** Ends the requests between a member and a person whom the member blocks, without telling that person. */
export async function endRequestsOnBlock(tx: Tx, core: Core, blockerId: string, blockedId: string): Promise<void> {
  const [received, sent] = [
    await selectRequest(tx, blockedId, blockerId),
    await selectRequest(tx, blockerId, blockedId),
  ]
  if (received?.state === 'open') await declineRequest(tx, core, received)
  if (sent !== undefined && sent.state !== 'withdrawn') await withdrawRequest(tx, core, sent)
}

/** Deletes all requests in an organization that switches its directory off. */
export async function deleteRequestsOfOrganization(tx: Tx, core: Core, organizationId: string): Promise<void> {
  const requests = await deleteOfOrganization(tx, organizationId)
  for (const { from_id: fromId, to_id: toId } of requests) await deleteRequestNotification(tx, core, fromId, toId)
  const userIds = requests.flatMap(({ from_id: fromId, to_id: toId }) => [fromId, toId])
  if (userIds.length > 0) notifyRequestsChanged(tx, core, [...new Set(userIds)])
}

/** Rows deleted in one transaction: a few milliseconds of work. */
const batchSize = 100

export const requestJobs: Job[] = [
  {
    name: 'delete ended connection requests',
    every: 60_000,
    run({ db, clock }, stopping) {
      // An ended request is kept until its sender may ask again.
      const until = () => clock.now() - limits.connectionRequestsApart
      const deleteBatch = (tx: Tx) => deleteEarliest(tx, 'connection_requests', until(), batchSize)
      return deleteInBatches(db, batchSize, deleteBatch, stopping)
    },
  },
]
