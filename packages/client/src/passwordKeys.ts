import type { User } from '@privity/contract/session'
import { type Bytes, deriveSignIn, passwordVersions } from '@privity/e2ee'

/** Argon2id at the cost of a version; a browser passes one that runs in a Worker. */
export type DeriveMasterKey = (password: string, username: string, version?: number) => Promise<Bytes>

/** Derived from a password: the verifier that is sent in its place, and the key that wraps the account key. */
export interface PasswordKeys {
  authKey: string
  wrapKey: CryptoKey
  version: number
}

/** The versions of Argon2id's cost: an account keeps the one of the day its password was chosen. */
export interface PasswordDerivation {
  /** Derives from a new password. */
  deriveNew(password: string, username: string): Promise<PasswordKeys>
  /** Derives from the password in force. */
  derive(password: string, user: Pick<User, 'username' | 'passwordVersion'>): Promise<PasswordKeys>
  /** Derives under every version, newest first, for an account whose version is not known. */
  deriveAll(password: string, username: string): Promise<PasswordKeys[]>
}

/** `versions`: newest first. */
export function createPasswordDerivation(
  deriveMasterKey: DeriveMasterKey,
  versions: readonly number[] = passwordVersions,
): PasswordDerivation {
  async function deriveAt(version: number, password: string, username: string): Promise<PasswordKeys> {
    return { ...(await deriveSignIn(await deriveMasterKey(password, username, version))), version }
  }
  const [newest = 1] = versions
  return {
    deriveNew: (password, username) => deriveAt(newest, password, username),
    derive: (password, { username, passwordVersion = 1 }) => deriveAt(passwordVersion, password, username),
    async deriveAll(password, username) {
      const derived: PasswordKeys[] = []
      // One after the other: each takes 64 MiB.
      for (const version of versions) derived.push(await deriveAt(version, password, username))
      return derived
    },
  }
}

/** As calls take it: of the newest version and of the former ones. */
export function toCredentials(derived: readonly PasswordKeys[]) {
  const [newest, ...formerPasswords] = derived.map(({ authKey, version }) => ({
    password: authKey,
    passwordVersion: version,
  }))
  if (newest === undefined) throw new Error('no version of the password')
  return { ...newest, formerPasswords }
}

/** Those under which the account's password was derived. */
export function keysFor(derived: readonly PasswordKeys[], { passwordVersion = 1 }: User): PasswordKeys {
  const found = derived.find(({ version }) => version === passwordVersion) ?? derived[0]
  if (found === undefined) throw new Error('no version of the password')
  return found
}
