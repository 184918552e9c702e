import { founderSessions, type FounderAccess, type FounderSession } from '@privity/contract/founder/session'
import { deriveFounderMasterKey, deriveFounderSignIn } from '@privity/e2ee/founder'
import { type Call, createCall } from '../call.ts'

export interface FounderClientOptions {
  origin: string
  fetch?: typeof globalThis.fetch
  /** Of the password and the deployment's salt; in a browser, in a Worker. */
  deriveMasterKey?: (password: string, salt: string) => Promise<Uint8Array<ArrayBuffer>>
}

/** How a sign-in goes on after the right password. */
export type FounderSignIn = { status: 'open'; session: FounderSession }

export interface FounderClient {
  /** Any call of the contract, with the founder's cookie. */
  call: Call
  /** The fixed username. */
  access(): Promise<FounderAccess>
  /** Who is signed in. Throws NOT_FOUNDER. */
  verify(): Promise<FounderSession>
  /** Derives what is sent; the password itself never leaves the browser. */
  signIn(password: string): Promise<FounderSignIn>
  signOut(): Promise<void>
}

export function createFounderClient(options: FounderClientOptions): FounderClient {
  const { origin, fetch = globalThis.fetch.bind(globalThis), deriveMasterKey = deriveFounderMasterKey } = options
  const call = createCall(origin, fetch, () => {})
  const access = () => call(founderSessions.access, {})

  return {
    call,
    access,
    verify: () => call(founderSessions.verify, {}),
    async signIn(password) {
      const { username, salt } = await access()
      const { authKey } = await deriveFounderSignIn(await deriveMasterKey(password, salt))
      return { status: 'open', session: await call(founderSessions.login, { body: { username, password: authKey } }) }
    },
    async signOut() {
      await call(founderSessions.logout, {})
    },
  }
}
