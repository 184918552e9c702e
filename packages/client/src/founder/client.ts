import { founderFactorNeeded, type FounderProof, founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { founderSessions, type FounderAccess, type FounderSession } from '@privity/contract/founder/session'
import { randomBytes, toBase64url } from '@privity/e2ee'
import { deriveFounderMasterKey, deriveFounderSignIn } from '@privity/e2ee/founder'
import { type Call, createCall } from '../transport/call.ts'
import { CallError, isCallError, isPassing } from '../transport/callError.ts'
import { type Clock, systemClock } from '../transport/clock.ts'
import { createBrowserKey, createMemoryKey, type KeptKey } from './keyStore.ts'
import {
  ensureReportKeys,
  keptReportKeys,
  listReportKeys,
  openReportKeys,
  type ReportKeys,
  rewrapReportKeys,
} from './reportKeys.ts'
import { exportLogs, type LogQuery } from './exportLogs.ts'

export interface FounderClientOptions {
  origin: string
  fetch?: typeof globalThis.fetch
  clock?: Clock
  /** Of the password and the deployment's salt; in a browser, in a Worker. */
  deriveMasterKey?: (password: string, salt: string) => Promise<Uint8Array<ArrayBuffer>>
  /** Where the key that wraps report keys is kept while the founder is signed in; by default in this browser. */
  keptKey?: KeptKey
}

/** How a sign-in goes on after the right password. */
export type FounderSignIn =
  | { status: 'open'; session: FounderSession }
  | { status: 'secondFactor'; finish: (proof: FounderProof) => Promise<FounderSession> }

export interface FounderClient {
  /** Any call of the contract, with the founder's cookie. */
  call: Call
  /** The fixed username, and the salt of the derivation. */
  access(): Promise<FounderAccess>
  /** Who is signed in. Throws NOT_FOUNDER. */
  verify(): Promise<FounderSession>
  /** Derives what is sent; the password itself never leaves the browser. */
  signIn(password: string): Promise<FounderSignIn>
  signOut(): Promise<void>
  /** What the server takes as the founder's password, for calls that ask for it again. */
  secretOf(password: string): Promise<string>
  /**
   * What reports are opened with; made at the first sign-in. Undefined where this browser has lost the key that the
   * password gives, or has that of an earlier password: `unlockReports` brings it back.
   */
  reportKeys(): Promise<ReportKeys | undefined>
  /** Throws WRONG_PASSWORD for a password that does not open them. */
  unlockReports(password: string): Promise<ReportKeys>
  /** Every report key that opens now opens with the new password too. A lost answer is found out about. */
  changePassword(given: { password: string; newPassword: string } & FounderProof): Promise<void>
  /** The logs of a range as a file with its proof, and the name that the server gives it. */
  exportLogs(query: LogQuery): Promise<{ name: string; content: Blob }>
}

export function createFounderClient(options: FounderClientOptions): FounderClient {
  const { origin, fetch = globalThis.fetch.bind(globalThis), deriveMasterKey = deriveFounderMasterKey } = options
  const { clock = systemClock, keptKey = typeof indexedDB === 'undefined' ? createMemoryKey() : createBrowserKey() } =
    options
  const call = createCall(origin, fetch, () => {})
  const access = () => call(founderSessions.access, {})

  async function derive(password: string) {
    const { username, salt } = await access()
    return { username, ...(await deriveFounderSignIn(await deriveMasterKey(password, salt))) }
  }

  /** Under the password of the first start there are no report keys, and nothing but its replacement is allowed. */
  const noneBefore = (error: unknown): [] => {
    if (isCallError(error, 'FOUNDER_PASSWORD_GENERATED')) return []
    throw error
  }

  /** A sign-in is good without it: what fails here is tried again where reports are read. */
  const makeReportKeys = (wrapKey: CryptoKey) =>
    ensureReportKeys(call, clock, wrapKey).catch((error: unknown) => console.error(error))

  async function opened(session: FounderSession, wrapKey: CryptoKey): Promise<FounderSession> {
    await keptKey.put(wrapKey)
    if (session.mustReplacePassword !== true) await makeReportKeys(wrapKey)
    return session
  }

  return {
    call,
    access,
    verify: () => call(founderSessions.verify, {}),
    async signIn(password) {
      const { username, authKey, wrapKey } = await derive(password)
      try {
        const session = await call(founderSessions.login, { body: { username, password: authKey } })
        return { status: 'open', session: await opened(session, wrapKey) }
      } catch (error) {
        if (!isCallError(error, 'SECOND_FACTOR_REQUIRED')) throw error
        const { ticket } = founderFactorNeeded.parse(error.details)
        const finish = async (proof: FounderProof) =>
          opened(await call(founderSecondFactor.signIn, { body: { ticket, ...proof } }), wrapKey)
        return { status: 'secondFactor', finish }
      }
    },
    async signOut() {
      await call(founderSessions.logout, {})
      await keptKey.forget()
    },
    secretOf: async (password) => (await derive(password)).authKey,
    async reportKeys() {
      const wrapKey = await keptKey.get()
      return wrapKey && keptReportKeys(call, clock, wrapKey)
    },
    async unlockReports(password) {
      const { wrapKey } = await derive(password)
      const keys = await openReportKeys(wrapKey, await listReportKeys(call))
      if (keys === undefined) throw new CallError('WRONG_PASSWORD')
      await keptKey.put(wrapKey)
      return keys
    },
    async changePassword({ password, newPassword, ...proof }) {
      const from = await derive(password)
      const known = await listReportKeys(call).catch(noneBefore)
      if (known.length > 0 && (await openReportKeys(from.wrapKey, known)) === undefined) {
        // In force already where the answer to an earlier change was lost: then nothing is changed, nor counted.
        const { wrapKey } = await derive(newPassword)
        if ((await openReportKeys(wrapKey, known)) !== undefined) return keptKey.put(wrapKey)
      }
      const salt = toBase64url(randomBytes(16))
      const to = await deriveFounderSignIn(await deriveMasterKey(newPassword, salt))
      const reportKeys = await rewrapReportKeys(known, from.wrapKey, to.wrapKey)
      const body = { password: from.authKey, newPassword: to.authKey, salt, reportKeys, ...proof }
      await call(founderSecondFactor.changePassword, { body }).catch(async (error: unknown) => {
        if (!isPassing(error)) throw error
        const now = await access().catch(() => undefined)
        if (now?.salt !== salt) throw error
      })
      await keptKey.put(to.wrapKey)
      if (known.length === 0) await makeReportKeys(to.wrapKey)
    },
    exportLogs: (query) => exportLogs(origin, fetch, query),
  }
}
