import type { FastifyInstance } from 'fastify'
import { founderSecondFactor } from '@privity/contract/founder/secondFactor'
import type { Core } from '../../../core/core.ts'
import { implement } from '../../../core/http/implement.ts'
import { sendSession, sendToken } from '../session/startSession.ts'
import { describeSession } from '../session/verifier.ts'
import { changePassword, confirmTotp, removeFactor, startTotp } from './changes.ts'
import { confirmSession } from './confirmation.ts'
import { stateOf } from './proof.ts'
import { finishSignIn } from './ticket.ts'

export function mountFounderSecondFactor(app: FastifyInstance, core: Core): void {
  implement(app, core, founderSecondFactor, {
    state: () => stateOf(core.db.read),
    start: ({ founder, request, body }) => startTotp({ core, founder, request }, body),
    confirm: ({ founder, request, body }) => confirmTotp({ core, founder, request }, body),
    remove: ({ founder, request, body }) => removeFactor({ core, founder, request }, body),
    async confirmSession({ founder, request, reply, body }) {
      const { confirmedUntil, token } = await confirmSession({ core, founder, request }, body)
      if (token !== undefined) sendToken(core, reply, token)
      return { confirmedUntil }
    },
    async signIn({ request, reply, body }) {
      const session = await finishSignIn(core, request, body)
      sendSession(core, reply, session)
      return describeSession(core, session.id)
    },
    async changePassword({ founder, request, reply, body }) {
      const token = await changePassword({ core, founder, request }, body)
      if (token !== undefined) sendToken(core, reply, token)
      return {}
    },
  })
}
