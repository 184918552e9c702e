import type { FastifyInstance } from 'fastify'
import { AppError } from '@privity/contract/errors'
import { founderSessions } from '@privity/contract/founder/session'
import type { Core } from '../../../core/core.ts'
import { implement } from '../../../core/http/implement.ts'
import { sendDevice } from '../../session/device.ts'
import { endSession, listSessions, signOut } from './sessions.ts'
import { signIn } from './signIn.ts'
import { clearSession, sendSession } from './startSession.ts'
import { describeSession, readVerifier } from './verifier.ts'

export function mountFounderSession(app: FastifyInstance, core: Core): void {
  const { username } = core.config.founder

  implement(app, core, founderSessions, {
    access: async () => ({ username, salt: (await readVerifier(core.db.read)).salt }),
    verify: ({ founder }) => describeSession(core, founder.sessionId),
    async login({ body, request, reply }) {
      const outcome = await signIn(core, request, body)
      if ('ticket' in outcome) {
        sendDevice(core, reply, outcome.device)
        throw new AppError('SECOND_FACTOR_REQUIRED', { details: { ticket: outcome.ticket } })
      }
      sendSession(core, reply, outcome)
      return describeSession(core, outcome.id)
    },
    async logout({ request, reply }) {
      await signOut(core, request)
      clearSession(core, reply)
      return {}
    },
    listSessions: ({ founder }) => listSessions(core, founder),
    async endSession({ founder, params, reply }) {
      await endSession(core, founder, params.id)
      if (params.id === founder.sessionId) clearSession(core, reply)
      return {}
    },
  })
}
