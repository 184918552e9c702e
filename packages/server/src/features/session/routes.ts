import type { FastifyInstance } from 'fastify'
import { session } from '@privity/contract/session'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { replaceCode } from './connectionCode.ts'
import { register } from './registration.ts'
import { endOtherSessions, endSession, getSignedInUser, listSessions, signOut } from './sessions.ts'
import { sendSignIn, signIn } from './signIn.ts'
import { clearSession, sendSignedIn } from './startSession.ts'

export function mountSession(app: FastifyInstance, core: Core): void {
  // The messaging screen sends visitors here.
  app.get('/api/login', async (_request, reply) => reply.redirect('/auth', 302))

  implement(app, core, session, {
    getUser: ({ caller }) => getSignedInUser(core, caller),
    async login({ body, request, reply }) {
      return sendSignIn(core, reply, await signIn(core, request, body), body.sharedComputer)
    },
    async register({ body, request, reply }) {
      return sendSignedIn(core, reply, await register(core, request, body))
    },
    async logout({ caller, reply }) {
      if (caller !== undefined) await signOut(core, caller)
      clearSession(core, reply)
      return {}
    },
    listSessions: ({ caller }) => listSessions(core, caller),
    async endSession({ caller, params, reply }) {
      await endSession(core, caller, params.id)
      if (params.id === caller.sessionId) clearSession(core, reply)
      return {}
    },
    endOtherSessions: ({ caller }) => endOtherSessions(core, caller),
    generateCode: ({ caller }) => replaceCode(core, caller),
  })
}
