import type { FastifyInstance } from 'fastify'
import { recovery } from '@privity/contract/recovery'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { sendSignIn } from '../session/signIn.ts'
import { finishRecovery, startRecovery } from './recovery.ts'

export function mountRecovery(app: FastifyInstance, core: Core): void {
  implement(app, core, recovery, {
    start: ({ body, request }) => startRecovery(core, request, body),
    async finish({ body, request, reply }) {
      return sendSignIn(core, reply, await finishRecovery(core, request, body), body.sharedComputer)
    },
  })
}
