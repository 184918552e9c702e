import type { FastifyInstance } from 'fastify'
import { lockedAccounts } from '@privity/contract/founder/lockedAccounts'
import type { Core } from '../../../core/core.ts'
import { implement } from '../../../core/http/implement.ts'
import { listLocked, unlock } from './lockedAccounts.ts'

export function mountLockedAccounts(app: FastifyInstance, core: Core): void {
  implement(app, core, lockedAccounts, {
    list: () => listLocked(core),
    unlock: ({ founder, params }) => unlock(core, founder, params.id),
  })
}
