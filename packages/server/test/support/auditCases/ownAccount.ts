import { account } from '@privity/contract/account'
import { session } from '@privity/contract/session'
import type { AuditCase } from './account.ts'
import { renewing } from '../scenes/keyReplacement.ts'
import { wrapped } from '../server/memberKeys.ts'

/** Every call by which members change their own account, by `METHOD path`. */
export const ownAccountCases: Record<string, AuditCase> = {
  'DELETE /api/sessions': {
    action: 'other_sessions_ended',
    async prepare(server) {
      const member = await server.signUp()
      return { succeed: () => member.call(session.endOtherSessions, {}) }
    },
  },
  'PATCH /api/user': {
    action: 'profile_changed',
    async prepare(server) {
      const [member, other] = [await server.signUp(), await server.signUp()]
      const { firstName, lastName, email } = member.user
      const taken = { firstName, lastName, email: other.user.email, password: member.password }
      return {
        fail: () => member.refused(account.updateProfile, { body: taken }),
        succeed: () => member.call(account.updateProfile, { body: { firstName: 'New', lastName, email } }),
      }
    },
  },
  'POST /api/account/proof': {
    action: { none: 'it changes nothing; wrong passwords are kept as security events' },
    async prepare(server) {
      const member = await server.signUp()
      const { password } = member
      return {
        fail: () => member.refused(account.provePassword, { body: { password: 'wrong' } }),
        succeed: () => member.call(account.provePassword, { body: { password } }),
      }
    },
  },
  'PUT /api/account/password': {
    action: 'password_changed',
    async prepare(server) {
      const member = await server.signUp()
      const identityKey = member.keys?.identityKey as string
      const body = { currentPassword: member.password, newPassword: 'new', wrappedAccountKey: wrapped(), identityKey }
      return {
        fail: () => member.refused(account.changePassword, { body: { ...body, currentPassword: 'wrong' } }),
        succeed: () => member.call(account.changePassword, { body }),
      }
    },
  },
  'PUT /api/account/recovery-key': {
    action: 'recovery_key_renewed',
    async prepare(server) {
      const member = await server.signUp()
      const body = renewing(member)
      return {
        fail: () => member.refused(account.renewRecoveryKey, { body: { ...body, password: 'wrong' } }),
        succeed: () => member.call(account.renewRecoveryKey, { body }),
      }
    },
  },
  'PUT /api/account/recovery-key/saved': {
    action: 'recovery_key_saved',
    async prepare(server) {
      const member = await server.signUp(undefined, { recoveryKeyUnsaved: true })
      return { succeed: () => member.call(account.confirmRecoveryKey, {}) }
    },
  },
  'POST /api/account/deletion': {
    action: 'account_deleted',
    async prepare(server) {
      const member = await server.signUp()
      const body = { username: member.user.username, password: member.password }
      return {
        fail: () => member.refused(account.remove, { body: { ...body, password: 'wrong' } }),
        succeed: () => member.call(account.remove, { body }),
      }
    },
  },
}
