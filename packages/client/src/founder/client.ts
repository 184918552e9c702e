import { founderFactorNeeded, type FounderProof, founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { founderSessions, type FounderAccess, type FounderSession } from '@privity/contract/founder/session'
import { createBrowserKey, E2eeError, randomBytes, toBase64url } from '@privity/e2ee'
import {
  deriveFounderMasterKey,
  deriveFounderSignIn,
  type FounderWrapKey,
  openWrapKey,
  sealWrapKey,
} from '@privity/e2ee/founder'
import { type Call, createCall } from '../transport/call.ts'
import { CallError, isCallError, isRetryable } from '../transport/callError.ts'
import { type Clock, systemClock } from '../transport/clock.ts'
import { createBrowserKeyStore, createMemoryKeyStore, type FounderKeyStore } from './keyStore.ts'
import {
  ensureReportKeys,
  loadReportKeys,
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
  /** Derives the master key from the password and the deployment's salt; in browsers, in a Worker. */
  deriveMasterKey?: (password: string, salt: string) => Promise<Uint8Array<ArrayBuffer>>
  /** Stores the key that wraps the report keys while the founder is signed in; by default in this browser. */
  wrapKeyStore?: FounderKeyStore
}

/** The result of a sign-in with the right password. */
export type FounderSignIn =
  | { status: 'open'; session: FounderSession }
  | { status: 'secondFactor'; finish: (proof: FounderProof) => Promise<FounderSession> }

export interface FounderClient {
  /** Any call of the contract, with the founder's cookie. */
  call: Call
  /** The fixed username, and the salt of the derivation. */
  access(): Promise<FounderAccess>
  /** Returns the session. Throws NOT_FOUNDER. */
  verify(): Promise<FounderSession>
  /** Signs in with a value derived from the password, which never leaves the browser. */
  signIn(password: string): Promise<FounderSignIn>
  signOut(): Promise<void>
  /** Derives the value that the server accepts as the founder's password, for calls that ask for it again. */
  deriveSecret(password: string): Promise<string>
  /**
   * The keys that decrypt reports, created at the first sign-in. Undefined if this browser lacks the wrapping key or
   * holds that of an earlier password: then call `unlockReports`.
   */
  reportKeys(): Promise<ReportKeys | undefined>
  /** Throws WRONG_PASSWORD for a password that does not unwrap them. */
  unlockReports(password: string): Promise<ReportKeys>
  /** Rewraps every readable report key under the new password. Detects whether a lost response had succeeded. */
  changePassword(given: { password: string; newPassword: string } & FounderProof): Promise<void>
  /** Exports the logs of a range as a file with its proof, under the name that the server gives it. */
  exportLogs(query: LogQuery): Promise<{ name: string; content: Blob }>
}

export function createFounderClient(options: FounderClientOptions): FounderClient {
  const { origin, fetch = globalThis.fetch.bind(globalThis), deriveMasterKey = deriveFounderMasterKey } = options
  const {
    clock = systemClock,
    wrapKeyStore = typeof indexedDB === 'undefined' ? createMemoryKeyStore() : createBrowserKeyStore(),
  } = options
  const call = createCall(origin, fetch, async () => false)
  const access = () => call(founderSessions.access, {})
  const verify = () => call(founderSessions.verify, {})

  async function storeWrapKey({ raw }: FounderWrapKey, session: FounderSession['session']): Promise<void> {
    const browserKey = await createBrowserKey()
    await wrapKeyStore.put({ browserKey, sealed: await sealWrapKey(browserKey, session, raw) })
  }

  /** Undefined if this browser has stored none in this session. */
  async function openStoredWrapKey(): Promise<CryptoKey | undefined> {
    const stored = await wrapKeyStore.get()
    if (!stored) return undefined
    const { session } = await verify()
    return openWrapKey(stored.browserKey, session, stored.sealed).then(
      ({ wrapKey }) => wrapKey,
      (error: unknown) => {
        if (error instanceof E2eeError) return undefined
        throw error
      },
    )
  }

  async function derive(password: string) {
    const { username, salt } = await access()
    return { username, ...(await deriveFounderSignIn(await deriveMasterKey(password, salt))) }
  }

  /** A sign-in succeeds without the keys: opening the reports tries again. */
  const tryToEnsureReportKeys = (wrapKey: CryptoKey) =>
    ensureReportKeys(call, clock, wrapKey).catch((error: unknown) => console.error(error))

  async function completeSignIn(session: FounderSession, key: FounderWrapKey): Promise<FounderSession> {
    await storeWrapKey(key, session.session)
    if (session.mustReplacePassword !== true) await tryToEnsureReportKeys(key.wrapKey)
    return session
  }

  return {
    call,
    access,
    verify,
    async signIn(password) {
      const { username, authKey, ...key } = await derive(password)
      try {
        const session = await call(founderSessions.login, { body: { username, password: authKey } })
        return { status: 'open', session: await completeSignIn(session, key) }
      } catch (error) {
        if (!isCallError(error, 'SECOND_FACTOR_REQUIRED')) throw error
        const { ticket } = founderFactorNeeded.parse(error.details)
        const finish = async (proof: FounderProof) =>
          completeSignIn(await call(founderSecondFactor.signIn, { body: { ticket, ...proof } }), key)
        return { status: 'secondFactor', finish }
      }
    },
    async signOut() {
      await call(founderSessions.logout, {})
      await wrapKeyStore.clear()
    },
    deriveSecret: async (password) => (await derive(password)).authKey,
    async reportKeys() {
      const wrapKey = await openStoredWrapKey()
      return wrapKey && loadReportKeys(call, clock, wrapKey)
    },
    async unlockReports(password) {
      const key = await derive(password)
      const keys = await openReportKeys(key.wrapKey, await listReportKeys(call))
      if (keys === undefined) throw new CallError('WRONG_PASSWORD')
      await storeWrapKey(key, (await verify()).session)
      return keys
    },
    async changePassword({ password, newPassword, ...proof }) {
      const current = await derive(password)
      // Under the generated first password no report keys exist, and the server refuses to list them.
      const { mustReplacePassword, session } = await verify()
      const known = mustReplacePassword ? [] : await listReportKeys(call)
      if (known.length > 0 && (await openReportKeys(current.wrapKey, known)) === undefined) {
        // The new password may already be in force after a lost response: then nothing is changed or counted.
        const key = await derive(newPassword)
        if ((await openReportKeys(key.wrapKey, known)) !== undefined) return storeWrapKey(key, session)
      }
      const salt = toBase64url(randomBytes(16))
      const next = await deriveFounderSignIn(await deriveMasterKey(newPassword, salt))
      const reportKeys = await rewrapReportKeys(known, current.wrapKey, next.wrapKey)
      const body = { password: current.authKey, newPassword: next.authKey, salt, reportKeys, ...proof }
      await call(founderSecondFactor.changePassword, { body }).catch(async (error: unknown) => {
        if (!isRetryable(error)) throw error
        const latest = await access().catch(() => undefined)
        if (latest?.salt !== salt) throw error
      })
      await storeWrapKey(next, session)
      if (known.length === 0) await tryToEnsureReportKeys(next.wrapKey)
    },
    exportLogs: (query) => exportLogs(origin, fetch, query),
  }
}
