import type { FastifyInstance } from 'fastify'
import { account } from '@privity/contract/account'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { provePassword } from '../session/passwordCheck.ts'
import { clearSession, sendSession, sendToken } from '../session/startSession.ts'
import { getOverview, updateProfile } from './profile.ts'
import { deleteOwnAccount } from './deletion.ts'
import { confirmRecoveryKey } from './savedRecoveryKey.ts'
import { changePassword, renewRecoveryKey } from './secrets.ts'

export function mountAccount(app: FastifyInstance, core: Core): void {
  implement(app, core, account, {
    overview: ({ caller }) => getOverview(core, caller.userId),
    updateProfile: ({ caller, request, body }) => updateProfile({ core, request, caller }, body),
    async provePassword({ caller, request, body }) {
      await provePassword(core, request, caller, body.password)
      return {}
    },
    async changePassword({ caller, request, reply, body }) {
      const session = await changePassword({ core, request, caller }, body)
      if ('device' in session) sendSession(core, reply, session)
      else if (session.token !== undefined) sendToken(core, reply, { ...caller, token: session.token })
      return {}
    },
    async renewRecoveryKey({ caller, request, body }) {
      await renewRecoveryKey({ core, request, caller }, body)
      return {}
    },
    async confirmRecoveryKey({ caller }) {
      await confirmRecoveryKey(core, caller)
      return {}
    },
    async remove({ caller, request, reply, body }) {
      await deleteOwnAccount({ core, request, caller }, body)
      clearSession(core, reply)
      return {}
    },
  })
}
