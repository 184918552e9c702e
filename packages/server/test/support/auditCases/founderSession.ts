import { reportKeys } from '@privity/contract/founder/reportKeys'
import { founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { founderSessions } from '@privity/contract/founder/session'
import type { AuditCase } from './account.ts'
import type { TestServer } from '../server/testServer.ts'
import { codeNow, founderLogin, makeReportKey, setUpFounderApp, signInFounder } from '../founder/founder.ts'
import { deriveQuickly } from '../server/founderPassword.ts'

/** Removes the founder's second factor that an earlier call may have left. */
async function withoutFactor(server: TestServer): Promise<void> {
  for (const table of ['founder_authenticator_app', 'founder_recovery_codes', 'founder_tickets'])
    await server.core.db.write((tx) => tx.run(`delete from ${table}`))
}

/** Every state-changing call of the founder's session, by `METHOD path`. */
export const founderCases: Record<string, AuditCase> = {
  'POST /api/founder/login': {
    action: 'founder_signed_in',
    async prepare(server) {
      const browser = server.visitor()
      const right = await founderLogin(server, browser)
      return {
        fail: () => browser.refused(founderSessions.login, { body: { ...right.body, password: 'wrong' } }),
        succeed: () => browser.call(founderSessions.login, right),
      }
    },
  },
  'POST /api/founder/logout': {
    action: 'founder_signed_out',
    async prepare(server) {
      const founder = await signInFounder(server)
      return { succeed: () => founder.call(founderSessions.logout, {}) }
    },
  },
  'DELETE /api/founder/sessions/:id': {
    action: 'founder_session_ended',
    async prepare(server) {
      const founder = await signInFounder(server)
      const [own] = await founder.call(founderSessions.listSessions, {})
      const nobody = '01890000-0000-7000-8000-000000000000'
      return {
        fail: () => founder.refused(founderSessions.endSession, { params: { id: nobody } }),
        succeed: () => founder.call(founderSessions.endSession, { params: { id: own?.id as string } }),
      }
    },
  },
  'POST /api/founder/second-factor/totp': {
    action: 'founder_totp_setup_started',
    async prepare(server) {
      await withoutFactor(server)
      const founder = await signInFounder(server)
      const { password } = (await founderLogin(server, founder)).body
      return {
        fail: () => founder.refused(founderSecondFactor.start, { body: { password: 'wrong' } }),
        succeed: () => founder.call(founderSecondFactor.start, { body: { password } }),
      }
    },
  },
  'POST /api/founder/second-factor/totp/confirmation': {
    action: 'founder_totp_added',
    async prepare(server) {
      await withoutFactor(server)
      const founder = await signInFounder(server)
      const { password } = (await founderLogin(server, founder)).body
      const { secret, setup } = await founder.call(founderSecondFactor.start, { body: { password } })
      return {
        fail: () => founder.refused(founderSecondFactor.confirm, { body: { setup: 'other', code: '000000' } }),
        succeed: () => founder.call(founderSecondFactor.confirm, { body: { setup, code: codeNow(server, secret) } }),
      }
    },
  },
  'POST /api/founder/second-factor/removal': {
    action: 'founder_totp_removed',
    async prepare(server) {
      await withoutFactor(server)
      const founder = await signInFounder(server)
      const { password } = (await founderLogin(server, founder)).body
      const { codes } = await setUpFounderApp(server, founder)
      return {
        fail: () => founder.refused(founderSecondFactor.remove, { body: { password } }),
        succeed: () => founder.call(founderSecondFactor.remove, { body: { password, recoveryCode: codes[0] } }),
      }
    },
  },
  'POST /api/founder/login/second-factor': {
    action: 'founder_signed_in',
    async prepare(server) {
      await withoutFactor(server)
      const founder = await signInFounder(server)
      const { codes } = await setUpFounderApp(server, founder)
      const { body } = await founder.refused(founderSessions.login, await founderLogin(server, founder))
      const { ticket } = body.details as { ticket: string }
      const finish = (recoveryCode: string) => ({ body: { ticket, recoveryCode } })
      return {
        fail: () => founder.refused(founderSecondFactor.signIn, finish('AAAAA-AAAAA')),
        succeed: () => founder.call(founderSecondFactor.signIn, finish(codes[1] as string)),
      }
    },
  },
  'POST /api/founder/session/confirmation': {
    action: 'session_confirmed',
    async prepare(server) {
      await withoutFactor(server)
      const founder = await signInFounder(server)
      const { password } = (await founderLogin(server, founder)).body
      return {
        fail: () => founder.refused(founderSecondFactor.confirmSession, { body: { password: 'wrong' } }),
        succeed: () => founder.call(founderSecondFactor.confirmSession, { body: { password } }),
      }
    },
  },
  'PUT /api/founder/password': {
    action: 'founder_password_changed',
    async prepare(server) {
      await withoutFactor(server)
      const founder = await signInFounder(server)
      const { password } = (await founderLogin(server, founder)).body
      const salt = 'AAECAwQFBgcICQoLDA0ODw'
      // The same password, so that later sign-ins of this server's founder succeed.
      const newPassword = await deriveQuickly(server.founderPassword, salt)
      const change = (given: string) => ({ body: { password: given, newPassword, salt, reportKeys: [] } })
      return {
        fail: () => founder.refused(founderSecondFactor.changePassword, change('wrong')),
        succeed: () => founder.call(founderSecondFactor.changePassword, change(password)),
      }
    },
  },
  'POST /api/founder/report-keys': {
    action: 'report_key_published',
    async prepare(server) {
      await withoutFactor(server)
      const founder = await signInFounder(server)
      const { keys } = await founder.call(reportKeys.list, {})
      const body = makeReportKey(server.clock.now(), keys[0]?.id ?? null)
      return {
        fail: () => founder.refused(reportKeys.add, { body: { ...body, replaces: body.id } }),
        succeed: () => founder.call(reportKeys.add, { body }),
      }
    },
  },
}
