import { type SecondFactorNeeded, secondFactor } from '@privity/contract/secondFactor'
import { session } from '@privity/contract/session'
import { codeOf } from '../../../src/features/secondFactor/totp.ts'
import type { Member, TestServer } from '../server/testServer.ts'
import type { Caller } from '../server/caller.ts'
import { atLocalhost, createSoftPasskey, originOf, type SoftPasskey } from './passkey.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

export interface App {
  recoveryCodes: string[]
  /** The code `steps` of 30 seconds from now. */
  code(steps?: number): string
  /** A code that is invalid around the current time. */
  wrong(): string
}

export const codeFrom = (server: TestServer, secret: string, steps = 0) =>
  codeOf(fromBase32(secret), Math.floor(server.clock.now() / 30_000) + steps)

/** Enables an authenticator app, and advances the clock past the step of the code that was used. */
export async function enableTotp(server: TestServer, member: Member): Promise<App> {
  const { secret } = await member.call(secondFactor.startTotp, { body: { password: member.password } })
  const { recoveryCodes = [] } = await member.call(secondFactor.confirmTotp, {
    body: { code: codeFrom(server, secret) },
  })
  await server.advance(60_000)
  const code = (steps = 0) => codeFrom(server, secret, steps)
  return {
    recoveryCodes,
    code,
    wrong() {
      const near = new Set([-2, -1, 0, 1, 2].map(code))
      for (let guess = 0; ; guess++)
        if (!near.has(String(guess).padStart(6, '0'))) return String(guess).padStart(6, '0')
    },
  }
}

/** Adds a passkey at http://localhost in a browser with the member's session. */
export async function addPasskey(
  server: TestServer,
  member: Member,
  proof: { code?: string; recoveryCode?: string } = {},
  name = 'A key',
): Promise<{ browser: Caller; passkey: SoftPasskey; recoveryCodes: string[]; id: string }> {
  const browser = atLocalhost(server, member)
  const passkey = createSoftPasskey()
  const options = await browser.call(secondFactor.startPasskey, { body: { password: member.password, ...proof } })
  const credential = passkey.create(options, originOf(server))
  const { state, recoveryCodes = [] } = await browser.call(secondFactor.addPasskey, { body: { name, credential } })
  return { browser, passkey, recoveryCodes, id: state.passkeys.at(-1)?.id as string }
}

/** Enters the password in a browser, and expects the request for a second factor. */
export async function enterPassword(browser: Caller, { user, password }: Member): Promise<SecondFactorNeeded> {
  const body = { username: user.username, password }
  const { status, body: refusal } = await browser.refused(session.login, { body })
  if (status !== 401 || refusal.code !== 'SECOND_FACTOR_REQUIRED') throw new Error(JSON.stringify(refusal))
  return refusal.details as SecondFactorNeeded
}
