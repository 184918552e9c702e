import type { FastifyInstance } from 'fastify'
import { session } from '@privity/contract/session'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { replaceCode } from './connectionCode.ts'
import { register } from './registration.ts'
import { endOtherSessions, endSession, listSessions, signOut } from './sessions.ts'
import { sendSignIn, signIn } from './signIn.ts'
import { clearSession, sendSession } from './startSession.ts'
import { getUser, toUser } from './users.ts'

export function mountSession(app: FastifyInstance, core: Core): void {
  // The messaging screen sends visitors here.
  app.get('/api/login', async (_request, reply) => reply.redirect('/auth', 302))

  implement(app, core, session, {
    getUser: async ({ caller }) => toUser(await getUser(core.db.read, caller.userId)),
    async login({ body, request, reply }) {
      return sendSignIn(core, reply, await signIn(core, request, body))
    },
    async register({ body, request, reply }) {
      const signedIn = await register(core, request, body)
      sendSession(core, reply, signedIn.session)
      return signedIn.user
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
