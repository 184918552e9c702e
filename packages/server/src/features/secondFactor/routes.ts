import type { FastifyInstance } from 'fastify'
import { confirmation } from '@privity/contract/confirmation'
import { secondFactor } from '@privity/contract/secondFactor'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { sendSignedIn, sendToken } from '../session/startSession.ts'
import { sessionHolder } from './confirmation.ts'
import { confirmSession } from './sessionConfirmation.ts'
import { requestOptions } from './passkeyOptions.ts'
import { addPasskey, startPasskey } from './passkeySetup.ts'
import { removeFactors, removePasskey, renewRecoveryCodes } from './disable.ts'
import { finishSignIn, requestSignInPasskey } from './signIn.ts'
import { stateOf } from './state.ts'
import { confirmTotp, startTotp } from './totpSetup.ts'

export function mountSecondFactor(app: FastifyInstance, core: Core): void {
  implement(app, core, confirmation, {
    async confirm({ caller, request, reply, body }) {
      const { confirmedUntil, token } = await confirmSession({ core, request, caller }, body)
      if (token !== undefined) sendToken(core, reply, { ...caller, token })
      return { confirmedUntil }
    },
  })
  implement(app, core, secondFactor, {
    state: ({ caller, request }) => stateOf(core.db.read, core, request, caller.userId),
    startTotp: ({ caller, request, body }) => startTotp({ core, request, caller }, body),
    confirmTotp: ({ caller, request, body }) => confirmTotp({ core, request, caller }, body.code),
    startPasskey: ({ caller, request, body }) => startPasskey({ core, request, caller }, body),
    addPasskey: ({ caller, request, body }) => addPasskey({ core, request, caller }, body),
    removePasskey: ({ caller, request, params, body }) => removePasskey({ core, request, caller }, params.id, body),
    requestPasskey: ({ caller, request }) =>
      requestOptions(core, request, caller.userId, sessionHolder(caller.sessionId, 'confirm')),
    renewRecoveryCodes: ({ caller, request, body }) => renewRecoveryCodes({ core, request, caller }, body),
    remove: ({ caller, request, body: { what, ...proof } }) => removeFactors({ core, request, caller }, what, proof),
    requestSignInPasskey: ({ request, body }) => requestSignInPasskey(core, request, body.ticket),
    async signIn({ request, reply, body }) {
      return sendSignedIn(core, reply, await finishSignIn(core, request, body))
    },
  })
}
