import { founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { founderSessions } from '@privity/contract/founder/session'
import { newId } from '../../../src/core/ids.ts'
import { codeOf } from '../../../src/features/secondFactor/totp.ts'
import type { TestServer } from '../server/testServer.ts'
import type { Caller } from '../server/caller.ts'
import { random } from '../server/memberKeys.ts'
import { deriveQuickly } from '../server/founderPassword.ts'

/** Signs in as the founder's browser does. */
export async function founderLogin(server: TestServer, browser: Caller, password = server.founderPassword) {
  const { username, salt } = await browser.call(founderSessions.access, {})
  return { body: { username, password: await deriveQuickly(password, salt) } }
}

/** The founder, signed in with a separate browser. */
export async function signInFounder(server: TestServer, browser: Caller = server.visitor()): Promise<Caller> {
  await browser.call(founderSessions.login, await founderLogin(server, browser))
  return browser
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function fromBase32(text: string): Uint8Array {
  const bits = Array.from(text, (each) => alphabet.indexOf(each).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

/** The current code of an authenticator app with this secret (base32), or the one `later` steps ahead. */
export const codeNow = ({ clock }: TestServer, secret: string, later = 0): string =>
  codeOf(fromBase32(secret), Math.floor(clock.now() / 30_000) + later)

/** Enables the founder's second factor from this browser. */
export async function setUpFounderApp(
  server: TestServer,
  founder: Caller,
): Promise<{ secret: string; codes: string[] }> {
  const { password } = (await founderLogin(server, founder)).body
  const { secret, setup } = await founder.call(founderSecondFactor.start, { body: { password } })
  const body = { setup, code: codeNow(server, secret) }
  const { recoveryCodes } = await founder.call(founderSecondFactor.confirm, { body })
  return { secret, codes: recoveryCodes }
}

/** A well-formed, random report key. */
export const makeReportKey = (now: number, replaces: string | null) => ({
  id: newId(now),
  publicKey: random(1216),
  wrappedSeed: random(84),
  replaces,
})

/** Signs the founder in a day later, without the locks, limits and second factor of earlier tests. */
export async function signInAnew(server: TestServer): Promise<Caller> {
  await server.advance(24 * 60 * 60 * 1000)
  for (const table of ['founder_authenticator_app', 'founder_recovery_codes'])
    await server.core.db.write((tx) => tx.run(`delete from ${table}`))
  return signInFounder(server)
}
