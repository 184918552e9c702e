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

/** One value for each version, newest first. */
type PerVersion<T> = readonly [T, ...T[]]

/** Versions of the Argon2id cost: an account keeps the version of the day its password was chosen. */
export interface PasswordDerivation {
  /** Derives from a new password. */
  deriveNew(password: string, username: string): Promise<PasswordKeys>
  /** Derives from the password in force. */
  derive(password: string, user: Pick<User, 'username' | 'passwordVersion'>): Promise<PasswordKeys>
  /** Derives under every version, newest first, for an account whose version is not known. */
  deriveAll(password: string, username: string): Promise<PerVersion<PasswordKeys>>
}

export function createPasswordDerivation(
  deriveMasterKey: DeriveMasterKey,
  versions: PerVersion<number> = passwordVersions,
): PasswordDerivation {
  async function deriveAt(version: number, password: string, username: string): Promise<PasswordKeys> {
    return { ...(await deriveSignIn(await deriveMasterKey(password, username, version))), version }
  }
  const [newest, ...former] = versions
  return {
    deriveNew: (password, username) => deriveAt(newest, password, username),
    derive: (password, { username, passwordVersion = 1 }) => deriveAt(passwordVersion, password, username),
    async deriveAll(password, username) {
      const derived: [PasswordKeys, ...PasswordKeys[]] = [await deriveAt(newest, password, username)]
      // One after the other: each takes 64 MiB.
      for (const version of former) derived.push(await deriveAt(version, password, username))
      return derived
    },
  }
}

const toCredential = ({ authKey, version }: PasswordKeys) => ({ password: authKey, passwordVersion: version })

/** The fields of the sign-in call. */
export function toCredentials([newest, ...former]: PerVersion<PasswordKeys>) {
  return { ...toCredential(newest), formerPasswords: former.map(toCredential) }
}

/** The keys of the version that the account's password was derived with. */
export const keysFor = (derived: PerVersion<PasswordKeys>, { passwordVersion = 1 }: User): PasswordKeys =>
  derived.find(({ version }) => version === passwordVersion) ?? derived[0]
