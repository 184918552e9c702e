import { generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto'
import {
  hashedEpochBytes,
  signedBrowserModeBytes,
  signedEpochBytes,
  signedNextIdentityBytes,
} from '@privity/contract/signedBytes'
import { account } from '@privity/contract/account'
import type { BrowserMode } from '@privity/contract/browserKeys'
import { type EpochKey, keys, type KeyReplacement, type OwnKeys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { sealTo, type Signer, signEntry } from './browsers.ts'
import type { Member } from '../server/testServer.ts'
import { makeRecoveryPair, random, signAs, signRecoveryPair, useIdentity, wrapped } from '../server/memberKeys.ts'

const decode = (text: string) => Buffer.from(text, 'base64url')

/** The epoch after `newest`, which `identityKey` signed, under another identity. */
function followingEpoch(
  identityKey: string,
  newest: EpochKey,
  by: { identityKey: string; key: KeyObject },
  createdAt: number,
  change: Partial<EpochKey>,
) {
  const previousHash = hash('sha256', hashedEpochBytes(identityKey, newest, decode), 'base64url')
  const { userId } = newest
  const n = newest.n + 1
  const times = { createdAt, startsAt: createdAt, endsAt: createdAt + limits.epochDuration }
  const unsigned = { userId, n, publicKey: random(1216), ...times, previousHash, features: 0, ...change }
  const signature = sign(null, signedEpochBytes(by.identityKey, unsigned, decode), by.key).toString('base64url')
  return { ...unsigned, signature, wrappedSeed: wrapped() }
}

/** Private keys of the identities created here, by public key. */
const signingKeys = new Map<string, KeyObject>()

/**
 * New keys that follow the account's current ones, as a browser creates them; by default at the time of these.
 * `change`: fields of the signed epoch.
 */
export function makeReplacement(own: OwnKeys, now?: number, change: Partial<EpochKey> = {}): KeyReplacement {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x: identityKey = '' } = publicKey.export({ format: 'jwk' })
  signingKeys.set(identityKey, privateKey)
  const newest = own.epochs.at(-1) as EpochKey
  return {
    identityKey,
    wrappedIdentitySeed: wrapped(),
    recoveryProof: random(32),
    recovery: signRecoveryPair(own.userId, { identityKey, key: privateKey }),
    recoveryWrappedAccountKey: wrapped(),
    formerSignature: signAs(
      own.userId,
      signedNextIdentityBytes({ userId: own.userId, former: own.identityKey, next: identityKey }, decode),
    ),
    epoch: followingEpoch(own.identityKey, newest, { identityKey, key: privateKey }, now ?? newest.createdAt, change),
    former: own.epochs.map(({ n, wrappedFormerKey }) => ({
      n,
      wrappedSeed: wrapped(),
      ...((n === newest.n || wrappedFormerKey !== undefined) && { wrappedFormerKey: wrapped() }),
    })),
    pins: { version: own.pins.version + 1, sealed: random(64) },
  }
}

/** The same with "Only approved browsers": every seed sealed to this browser and to the new recovery key. */
export function makeSealedReplacement(
  own: OwnKeys,
  browserId: string,
  change: { mode?: Partial<BrowserMode>; n?: number; signer?: Signer } = {},
): KeyReplacement {
  const { epoch, former, ...made } = makeReplacement(own)
  const { wrappedSeed: _none, ...unwrapped } = epoch
  const by = { identityKey: made.identityKey, key: signingKeys.get(made.identityKey) as KeyObject }
  const listed = own.browsers.browsers.find((each) => each.browserId === browserId)
  const { n = (listed?.n ?? 0) + 1, signer } = change
  const entry = signEntry(by, { userId: own.userId, browserId, createdAt: epoch.createdAt, n }, signer)
  const numbers = [...former.map(({ n }) => n), epoch.n]
  const mode = { onlyApproved: true, n: own.browsers.mode.n + 1, ...change.mode }
  const signed = signedBrowserModeBytes(made.identityKey, { userId: own.userId, ...mode }, decode)
  return {
    ...made,
    epoch: unwrapped,
    former: former.map(({ wrappedSeed: _wrapped, ...each }) => each),
    browser: { entry, seeds: sealTo([own.userId, browserId], numbers) },
    mode: { ...mode, signature: sign(null, signed, by.key).toString('base64url') },
  }
}

/** The body of a call that renews the recovery key. */
export const renewing = ({ password, user, keys: own }: Member) => ({
  password,
  recoveryProof: random(32),
  recovery: makeRecoveryPair(user.id),
  recoveryWrappedAccountKey: wrapped(),
  identityKey: own?.identityKey as string,
})

let passwords = 0

/** The body of a password change with new keys, derived from the account's current ones. */
export async function replacing(
  member: Member,
  change: (made: KeyReplacement) => Partial<KeyReplacement> = () => ({}),
  now?: number,
) {
  const made = makeReplacement(await member.call(keys.getOwn, { query: {} }), now)
  return {
    currentPassword: member.password,
    newPassword: `new password ${(passwords += 1)}`,
    wrappedAccountKey: wrapped(),
    replacement: { ...made, ...change(made) },
  }
}

/** Replaces the member's keys, and sets the new password on `member`. */
export async function replaceKeys(member: Member, now?: number): Promise<KeyReplacement> {
  const body = await replacing(member, undefined, now)
  await member.call(account.changePassword, { body })
  member.password = body.newPassword
  const { identityKey } = body.replacement
  useIdentity(member.user.id, identityKey, signingKeys.get(identityKey) as KeyObject)
  return body.replacement
}
