import { createHash } from 'node:crypto'
import { founderSessions } from '@privity/contract/founder/session'
import type { DeriveFounderSecret } from '../src/features/founder/session/verifier.ts'
import type { TestServer } from './harness.ts'
import type { Caller } from './harnessClient.ts'

/** Quick instead of Argon2id: what test servers and their founders derive with. */
export const deriveQuickly: DeriveFounderSecret = async (password, salt) =>
  createHash('sha256').update(`${salt}/${password}`).digest('base64url')

/** What the founder's browser sends to sign in. */
export async function founderLogin(server: TestServer, browser: Caller, password = server.founderPassword) {
  const { username, salt } = await browser.call(founderSessions.access, {})
  return { body: { username, password: await deriveQuickly(password, salt) } }
}

/** The founder, signed in with a browser of his own. */
export async function signInFounder(server: TestServer, browser: Caller = server.visitor()): Promise<Caller> {
  await browser.call(founderSessions.login, await founderLogin(server, browser))
  return browser
}
