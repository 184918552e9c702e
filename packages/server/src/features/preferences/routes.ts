import type { FastifyInstance } from 'fastify'
import { preferenceCalls } from '@privity/contract/preferences'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { preferenceStateOf } from './preferences.ts'
import { updatePreferences } from './update.ts'
export function mountPreferences(app: FastifyInstance, core: Core): void {
  implement(app, core, preferenceCalls, {
    get: ({ caller }) => preferenceStateOf(core.db.read, caller.userId, core.clock.now()),
    update: ({ caller, request, body }) => updatePreferences({ core, request, caller }, body),
  })
}
