import type { Core } from '../../core/core.ts'
import type { Session } from '../../core/sessions/sessions.ts'
import { downloadingUsers, listDownloads } from './activeDownloads.ts'
import { receiving } from './uploads.ts'

/** The sessions with a transfer under way in this process. */
export const transferring = (): Pick<Session, 'id' | 'userId'>[] =>
  [...listDownloads(), ...receiving.values()].map(({ sessionId, userId }) => ({ id: sessionId, userId }))

/** Checks every user with a transfer under way: no other check finds a user without an open socket. */
async function endWithoutFactor({ bus, isFactorMissing }: Core): Promise<void> {
  const uploading = [...receiving.values()].map(({ userId }) => userId)
  for (const userId of new Set([...downloadingUsers(), ...uploading]))
    if (await isFactorMissing(userId)) bus.publish('factorMissing', { userId })
}

/** Aborts transfers when a new policy requires a second factor that their user lacks. */
export function endWithPolicy(core: Core): void {
  core.bus.subscribe('policyChanged', () =>
    core.background.run('transfers under a policy', () => endWithoutFactor(core)),
  )
}
