import type { SecurityFacts } from '@privity/contract/privacy'
import type { Core } from '../../core/core.ts'
import { getUser } from '../session/users.ts'
import { countFailures, selectLastFailure, selectLastRenewal } from './queries.ts'

const lookedBack = 30 * 24 * 60 * 60 * 1000

/** Facts only: what they mean, and what to do about them, the browser says. */
export async function getSecurityFacts({ db, clock }: Core, userId: string): Promise<SecurityFacts> {
  const { read } = db
  const since = clock.now() - lookedBack
  const user = await getUser(read, userId)
  const count = (await countFailures(read, userId, since))?.count ?? 0
  const last = await selectLastFailure(read, userId, since)
  const renewed = await selectLastRenewal(read, userId)
  return {
    failedSignIns: { count, lastAt: last?.created_at, lastAddress: last?.address ?? undefined },
    recoveryKeyAt: user.identity_key === null ? undefined : (renewed?.created_at ?? user.created_at),
  }
}
