import type { Core } from '../../core/core.ts'
import type { Session } from '../../core/sessions/sessions.ts'
import { downloadingUsers, downloads } from './activeDownloads.ts'
import { receiving } from './uploads.ts'

/** Whose transfers are under way in this process. */
export const transferring = (): Pick<Session, 'id' | 'userId'>[] =>
  [...downloads(), ...receiving.values()].map(({ sessionId, userId }) => ({ id: sessionId, userId }))

/** Asked of everybody with a transfer under way: he may have no socket by which he would be found. */
async function endWithoutFactor({ bus, isFactorMissing }: Core): Promise<void> {
  const uploading = [...receiving.values()].map(({ userId }) => userId)
  for (const userId of new Set([...downloadingUsers(), ...uploading]))
    if (await isFactorMissing(userId)) bus.publish('factorMissing', { userId })
}

/** Transfers end when a new policy requires a second factor that their user has not. */
export function endWithPolicy(core: Core): void {
  core.bus.subscribe('policyChanged', () =>
    core.background.run('transfers under a policy', () => endWithoutFactor(core)),
  )
}
