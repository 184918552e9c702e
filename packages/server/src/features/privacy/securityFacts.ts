import { limits } from '@privity/contract/limits'
import type { SecurityFacts } from '@privity/contract/privacy'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { getUser } from '../session/users.ts'
import { countFailures, selectLastFailure, selectLastRenewal, settleFailuresUntil } from './queries.ts'

const periodMs = 30 * 24 * 60 * 60 * 1000

/** Facts only: the browser decides what they mean and what to do about them. */
export async function getSecurityFacts(
  { db, clock }: Core,
  userId: string,
  read: Reader = db.read,
): Promise<SecurityFacts> {
  const user = await getUser(read, userId)
  const begin = clock.now() - periodMs
  const { failures_settled_at: settledAt } = user
  const settled = settledAt <= clock.now() + limits.clockTolerance ? settledAt : 0
  const since = Math.max(begin, settled)
  const count = (await countFailures(read, userId, since))?.count ?? 0
  const last = await selectLastFailure(read, userId, since)
  const renewed = await selectLastRenewal(read, userId)
  return {
    failedSignIns: {
      count,
      lastAt: last?.created_at,
      lastAddress: last?.address ?? undefined,
      settledAt: settled > begin ? settled : undefined,
    },
    recoveryKeyAt: user.identity_key === null ? undefined : (renewed?.created_at ?? user.created_at),
  }
}

/** Settles the failures that the owner has seen and recognised, up to `until`. Later failures stay open. */
export function settleFailures(core: Core, { userId, address }: Caller, until: number): Promise<SecurityFacts> {
  return core.db.write(async (tx) => {
    const at = core.clock.now()
    const { count } = (await getSecurityFacts(core, userId, tx)).failedSignIns
    const { changes } = await settleFailuresUntil(tx, userId, Math.min(until, at), at + limits.clockTolerance)
    const facts = await getSecurityFacts(core, userId, tx)
    const details = { settled: count - facts.failedSignIns.count, left: facts.failedSignIns.count }
    if (changes > 0)
      await audit(tx, { action: 'failed_sign_ins_settled', actorId: userId, targetId: userId, address, details, at })
    return facts
  })
}
