import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idSource } from '../fileRef.ts'
import { limits } from '../limits.ts'
import { base64url, id, nothing, secret, time } from '../values.ts'
import {
  browserKeys,
  maxLiveEpochs,
  browserRenewal,
  recoveryPair,
  sealedSeed,
  sealing,
  signedMode,
  seedsBytes,
} from './browserKeys.ts'

/** Sizes follow from ../e2ee: Ed25519 32 and 64, X-Wing public key 1,216, SHA-256 32 bytes. */
export const identityKey = base64url(32)
export const signature = base64url(64)
export const sealed = base64url(16, 16 * 1024)

const uint32 = 2 ** 32 - 1

/** A published epoch key; `previousHash` links it to the one before (32 zero bytes for the first). */
export const epochKey = z.object({
  userId: id,
  n: z.int().min(1).max(uint32),
  publicKey: base64url(1216),
  createdAt: time,
  startsAt: time.describe('messages are sealed to it from then on'),
  endsAt: time.describe('8 hours later; its seed is destroyed 24 hours after that'),
  previousHash: base64url(32),
  features: z.int().nonnegative().max(uint32).describe('bits that have no meaning yet'),
  signature,
})
export type EpochKey = z.output<typeof epochKey>

const newEpoch = epochKey.extend({ wrappedSeed: sealed })
export type NewEpoch = z.output<typeof newEpoch>

/** With "Only approved browsers" no seed is wrapped under the account key. */
const wrappedSeed = sealed.optional().describe('absent with "Only approved browsers"')
const publishedEpoch = epochKey.extend({ wrappedSeed })
export type PublishedEpoch = z.output<typeof publishedEpoch>

/** One's own epoch, its seed wrapped under the account key, or sealed to the browser that asks. */
export const ownEpoch = epochKey.extend({
  wrappedSeed: sealed
    .optional()
    .describe('absent once it is destroyed: the newest epoch stays, because others follow it'),
  sealedSeed: sealedSeed.shape.sealed.optional(),
  wrappedFormerKey: sealed.optional().describe('the account key whose last epoch this was'),
})
export type OwnEpoch = z.output<typeof ownEpoch>

/** For some 1,000 contacts. The client keeps to this many characters of base64url; the schema allows as many bytes. */
export const pinListLength = 256 * 1024
export const pinList = z.object({ version: z.int().nonnegative(), sealed: base64url(0, pinListLength) })

/** The next pin list, signed by the identity key: a session alone may not replace what it cannot open. */
export const pinListChange = pinList.extend({ signature })
export type PinListChange = z.output<typeof pinListChange>

/** The keys that a browser creates at sign-up: wrapped, so that the server can open none. */
export const newKeys = z.object({
  userId: id.describe('chosen by the browser, because every wrap is bound to it; never reused'),
  identityKey,
  wrappedIdentitySeed: sealed,
  wrappedAccountKey: sealed,
  recoveryWrappedAccountKey: sealed,
  recoveryProof: secret.describe('HKDF of the recovery key: proves possession, decrypts nothing'),
  recovery: recoveryPair,
  epoch: newEpoch.describe('the first; the others of the week are published once the account exists'),
  pins: pinList,
})
export type NewKeys = z.output<typeof newKeys>

/**
 * The replacement of all keys of an account that may be compromised. Epoch seeds and pins that are still in use are
 * included, encrypted under the new account key.
 */
export const keyReplacement = z.object({
  identityKey,
  wrappedIdentitySeed: sealed,
  recoveryWrappedAccountKey: sealed,
  recoveryProof: secret,
  recovery: recoveryPair,
  formerSignature: signature.describe('of the new identity key, by the one that it replaces'),
  epoch: publishedEpoch.describe('n+1, which begins now, signed by the new identity key'),
  former: z
    .array(
      z.object({
        n: z.int().min(1),
        wrappedSeed,
        wrappedFormerKey: sealed
          .optional()
          .describe(
            'with the last epoch under an account key: that key, for data that a browser still holds sealed under it',
          ),
      }),
    )
    .max(maxLiveEpochs)
    .describe('all epochs whose seed is not destroyed; those that lie ahead are deleted'),
  browser: z
    .object({
      ...browserRenewal.pick({ entry: true, links: true }).shape,
      seeds: z.array(sealedSeed).max(2 * maxLiveEpochs),
    })
    .optional()
    .describe('with "Only approved browsers": this browser, and all live seeds sealed to it and to the recovery pair'),
  mode: signedMode.optional().describe('the mode in force, signed anew under the next number; absent: never changed'),
  pins: pinList.describe('`version` must follow the stored one'),
})
export type KeyReplacement = z.output<typeof keyReplacement>

/** All one's own keys, to open after sign-in. `epochs` holds the live ones and the newest, by number. */
export const ownKeys = z.object({
  userId: id,
  identityKey,
  wrappedIdentitySeed: sealed,
  wrappedAccountKey: sealed,
  epochs: z.array(ownEpoch),
  pins: pinList,
  browsers: browserKeys,
})
export type OwnKeys = z.output<typeof ownKeys>

/** Replaced identity keys are kept for contacts who have not been here since. */
export const maxFormerKeys = 8

/** A replaced identity key with its signature of the one after it. */
export const formerKey = z.object({ identityKey, signature })
export type FormerKey = z.output<typeof formerKey>

/** The keys of a contact, for encrypting to them: the epoch whose time it is; the nearest where there is none. */
export const contactKeys = z.object({
  userId: id,
  identityKey,
  former: z.array(formerKey).max(maxFormerKeys).describe('the identity keys before this one, newest first'),
  epoch: epochKey,
})
export type ContactKeys = z.output<typeof contactKeys>

/** The current identity key of a connection's contact. */
export const contactIdentity = z.object({ connectionId: id, userId: id, identityKey })
export type ContactIdentity = z.output<typeof contactIdentity>

/** The maximum of connections whose keys one call returns. */
export const maxContactsPerCall = 40

export const keys = {
  getOwn: endpoint({
    method: 'GET',
    path: '/api/keys',
    guard: 'member',
    query: z.object({ browser: id.optional().describe('whose entry and sealed seeds are wanted') }),
    result: ownKeys,
    errors: ['NO_KEYS'],
    summary: "The caller's wrapped keys",
  }),
  publishEpochs: endpoint({
    method: 'POST',
    path: '/api/keys/epochs',
    guard: 'member',
    byItself: true,
    weight: 4,
    body: z.object({
      epochs: z.array(publishedEpoch).min(1).max(limits.epochsAhead),
      sealing: sealing.optional().describe('with "Only approved browsers"; the epochs then replace those ahead'),
    }),
    bodyBytes: seedsBytes,
    result: nothing,
    status: 201,
    errors: ['NO_KEYS', 'EPOCH_CONFLICT', 'BROWSERS_CHANGED', 'BROWSER_REMOVED'],
    summary: 'Publish epochs n+1, n+2 … of the next 7 days; compare-and-set on n and previousHash',
  }),
  getContactKeys: endpoint({
    method: 'GET',
    path: '/api/connections/:id/keys',
    guard: 'member',
    params: z.object({ id }),
    result: contactKeys,
    errors: ['CONNECTION_NOT_FOUND', 'NO_KEYS'],
    summary: "The contact's identity key and the epoch key of this time",
  }),
  listIdentities: endpoint({
    method: 'GET',
    path: '/api/keys/identities',
    guard: 'member',
    polled: true,
    byItself: true,
    result: z.array(contactIdentity),
    summary: 'The identity keys of all contacts, to detect changes',
  }),
  listContactKeys: endpoint({
    method: 'GET',
    path: '/api/keys/peers',
    guard: 'member',
    query: z.object({
      connections: z
        .string()
        .regex(new RegExp(`^${idSource}(,${idSource}){0,${maxContactsPerCall - 1}}$`))
        .describe(`comma-separated ids of up to ${maxContactsPerCall} connections`),
    }),
    result: z.array(z.object({ connectionId: id, keys: contactKeys })),
    summary: 'GET /api/connections/:id/keys for several connections; those without keys are left out',
  }),
  getPins: endpoint({
    method: 'GET',
    path: '/api/keys/pins',
    guard: 'member',
    result: pinList,
    errors: ['NO_KEYS'],
    summary: "The caller's sealed list of pinned identity keys",
  }),
  putPins: endpoint({
    method: 'PUT',
    path: '/api/keys/pins',
    guard: 'member',
    // Its body may be as large as 8 ordinary ones.
    weight: 8,
    body: pinListChange.describe('`version` must follow the stored one'),
    bodyBytes: 512 * 1024,
    result: pinList,
    errors: ['NO_KEYS', 'STALE_VERSION'],
    summary: 'Replace the pin list; compare-and-set by version',
  }),
}
