import { secondFactor } from '@privity/contract/secondFactor'
import type { AuditCase } from './account.ts'
import { atLocalhost, createSoftPasskey, originOf } from '../scenes/passkey.ts'
import { addPasskey, codeFrom, enableTotp, enterPassword } from '../scenes/secondFactor.ts'

const challenge = { none: 'a challenge changes nothing; what it is used for leaves its entry' }

/** Every state-changing call about the second factor, by `METHOD path`. */
export const secondFactorCases: Record<string, AuditCase> = {
  'POST /api/second-factor/totp': {
    action: 'totp_setup_started',
    async prepare(server) {
      const member = await server.signUp()
      const { password } = member
      return {
        fail: () => member.refused(secondFactor.startTotp, { body: { password: 'wrong' } }),
        succeed: () => member.call(secondFactor.startTotp, { body: { password } }),
      }
    },
  },
  'POST /api/second-factor/totp/confirmation': {
    action: 'totp_added',
    async prepare(server) {
      const member = await server.signUp()
      const { secret } = await member.call(secondFactor.startTotp, { body: { password: member.password } })
      const code = (steps: number) => ({ body: { code: codeFrom(server, secret, steps) } })
      return {
        fail: () => member.refused(secondFactor.confirmTotp, code(5)),
        succeed: () => member.call(secondFactor.confirmTotp, code(0)),
      }
    },
  },
  'POST /api/second-factor/passkeys/options': {
    action: 'passkey_setup_started',
    async prepare(server) {
      const member = await server.signUp()
      const browser = atLocalhost(server, member)
      return {
        fail: () => browser.refused(secondFactor.startPasskey, { body: { password: 'wrong' } }),
        succeed: () => browser.call(secondFactor.startPasskey, { body: { password: member.password } }),
      }
    },
  },
  'POST /api/second-factor/passkeys': {
    action: 'passkey_added',
    async prepare(server) {
      const member = await server.signUp()
      const browser = atLocalhost(server, member)
      const begin = () => browser.call(secondFactor.startPasskey, { body: { password: member.password } })
      const [earlier, options] = [await begin(), await begin()]
      const add = (given: typeof options) => {
        const credential = createSoftPasskey().create(given, originOf(server))
        return { body: { name: 'A key', credential } }
      }
      const other = atLocalhost(server, await server.signUp())
      return {
        fail: () => other.refused(secondFactor.addPasskey, add(earlier)),
        succeed: () => browser.call(secondFactor.addPasskey, add(options)),
      }
    },
  },
  'POST /api/second-factor/passkeys/:id/removal': {
    action: 'passkey_removed',
    async prepare(server) {
      const member = await server.signUp()
      const { id, recoveryCodes } = await addPasskey(server, member)
      const body = { password: member.password, recoveryCode: recoveryCodes[0] }
      const params = { id }
      return {
        fail: () => member.refused(secondFactor.removePasskey, { params, body: { ...body, recoveryCode: 'wrong' } }),
        succeed: () => member.call(secondFactor.removePasskey, { params, body }),
      }
    },
  },
  'POST /api/second-factor/assertion': {
    action: challenge,
    async prepare(server) {
      const member = await server.signUp()
      const { browser } = await addPasskey(server, member)
      return {
        fail: () => member.refused(secondFactor.requestPasskey, {}),
        succeed: () => browser.call(secondFactor.requestPasskey, {}),
      }
    },
  },
  'POST /api/second-factor/recovery-codes': {
    action: 'recovery_codes_renewed',
    async prepare(server) {
      const member = await server.signUp()
      const app = await enableTotp(server, member)
      const { password } = member
      return {
        fail: () => member.refused(secondFactor.renewRecoveryCodes, { body: { password } }),
        succeed: () => member.call(secondFactor.renewRecoveryCodes, { body: { password, code: app.code() } }),
      }
    },
  },
  'POST /api/second-factor/removal': {
    action: 'second_factor_switched_off',
    async prepare(server) {
      const member = await server.signUp()
      const app = await enableTotp(server, member)
      const body = { what: 'everything' as const, password: member.password, code: app.code() }
      return {
        fail: () => member.refused(secondFactor.remove, { body: { ...body, code: app.wrong() } }),
        succeed: () => member.call(secondFactor.remove, { body }),
      }
    },
  },
  'POST /api/login/second-factor/assertion': {
    action: challenge,
    async prepare(server) {
      const member = await server.signUp()
      await addPasskey(server, member)
      const browser = atLocalhost(server)
      const { ticket } = await enterPassword(browser, member)
      return {
        fail: () => browser.refused(secondFactor.requestSignInPasskey, { body: { ticket: 'wrong' } }),
        succeed: () => browser.call(secondFactor.requestSignInPasskey, { body: { ticket } }),
      }
    },
  },
  'POST /api/login/second-factor': {
    action: 'signed_in',
    async prepare(server) {
      const member = await server.signUp()
      const app = await enableTotp(server, member)
      const browser = server.visitor()
      const { ticket } = await enterPassword(browser, member)
      return {
        fail: () => browser.refused(secondFactor.signIn, { body: { ticket, code: app.wrong() } }),
        succeed: () => browser.call(secondFactor.signIn, { body: { ticket, code: app.code() } }),
      }
    },
  },
}
