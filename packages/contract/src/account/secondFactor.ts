import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { sharedComputer, signedInUser } from './session.ts'
import { id, secret, time } from '../values.ts'

/** base64url of any length, as in all of WebAuthn. */
const bytes = z
  .string()
  .min(1)
  .max(8192)
  .regex(/^[A-Za-z0-9_-]+$/)

export const factorMethod = z.enum(['totp', 'passkey', 'recoveryCode'])
export type FactorMethod = z.output<typeof factorMethod>

const descriptor = z.object({ id: bytes, type: z.literal('public-key'), transports: z.array(z.string()).optional() })

/** PublicKeyCredentialRequestOptionsJSON: what a browser needs to ask one of these passkeys. */
export const passkeyRequest = z.object({
  challenge: bytes,
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('discouraged'),
  allowCredentials: z.array(descriptor),
})
export type PasskeyRequest = z.output<typeof passkeyRequest>

/** PublicKeyCredentialCreationOptionsJSON: what a browser needs to make a passkey. */
export const passkeyCreation = z.object({
  challenge: bytes,
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: bytes, name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  attestation: z.literal('none'),
  authenticatorSelection: z.object({
    residentKey: z.literal('discouraged'),
    userVerification: z.literal('discouraged'),
  }),
  excludeCredentials: z.array(descriptor),
})
export type PasskeyCreation = z.output<typeof passkeyCreation>

const credential = {
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  clientExtensionResults: z.looseObject({}),
}

/** AuthenticationResponseJSON: a passkey's response to a passkeyRequest. */
export const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.optional(),
  }),
})
export type Assertion = z.output<typeof assertion>

/** RegistrationResponseJSON: a passkey's response to a passkeyCreation. */
export const attestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(32)).max(10).optional(),
  }),
})
export type Attestation = z.output<typeof attestation>

const code = z
  .string()
  .trim()
  .regex(/^\d{3} ?\d{3}$/, 'Enter the 6 digits that the authenticator app shows.')

/** A second factor in one of three forms; fields of a body that `atMostOneFactor` refines. */
export const proof = {
  code: code.optional().describe('code of the authenticator app'),
  recoveryCode: z.string().trim().min(1).max(64).optional(),
  assertion: assertion.optional().describe('signed challenge of a passkey'),
}
export interface SecondFactorProof {
  code?: string | undefined
  recoveryCode?: string | undefined
  assertion?: Assertion | undefined
}

const given = (body: SecondFactorProof) =>
  [body.code, body.recoveryCode, body.assertion].filter((part) => part !== undefined).length

/** Refines a body that may carry a second factor. */
export const atMostOneFactor = (body: SecondFactorProof): boolean => given(body) <= 1
export const severalFactors = { path: ['code'], error: 'Give one second factor, not several.' }

/** The confirmation that every change of second factors needs: the password, and a second factor where one is on. */
export const confirmation = z.object({ password: secret, ...proof }).refine(atMostOneFactor, severalFactors)

export const secondFactorState = z.object({
  on: z.boolean(),
  totp: z.object({ since: time }).nullable(),
  passkeys: z.array(
    z.object({
      id,
      name: z.string(),
      createdAt: time,
      lastUsedAt: time.nullable(),
      usable: z.boolean().describe('whether it works at the address of this call: a passkey belongs to one domain'),
    }),
  ),
  recoveryCodesLeft: z.int(),
  passkeysHere: z
    .enum(['possible', 'address', 'insecure'])
    .describe('whether this address can have passkeys: not a bare IP address, not HTTP except at localhost'),
})
export type SecondFactorState = z.output<typeof secondFactorState>

const recoveryCodes = z.array(z.string()).optional().describe('shown once, when the first factor is set up')
const changed = z.object({ state: secondFactorState, recoveryCodes })

/** The details of SECOND_FACTOR_REQUIRED at sign-in. */
export const secondFactorNeeded = z.object({
  methods: z.array(factorMethod),
  /** For POST /api/login/second-factor, from the same browser, within limits.secondFactorTime. */
  ticket: z.string(),
  /** There are passkeys, but they belong to another address of this server. */
  passkeysElsewhere: z.boolean(),
})
export type SecondFactorNeeded = z.output<typeof secondFactorNeeded>

/** Errors of every call that needs the password, and the second factor where one is on. */
export const confirming = [
  'WRONG_PASSWORD',
  'ACCOUNT_LOCKED',
  'SECOND_FACTOR_REQUIRED',
  'SECOND_FACTOR_WRONG',
  'PASSKEY_REFUSED',
] as const

export const secondFactor = {
  state: endpoint({
    method: 'GET',
    path: '/api/second-factor',
    guard: 'member',
    beforeFactor: true,
    result: secondFactorState,
    summary: "The caller's second factors: authenticator app, passkeys, remaining recovery codes",
  }),
  startTotp: endpoint({
    method: 'POST',
    path: '/api/second-factor/totp',
    guard: 'member',
    beforeFactor: true,
    limit: 'signIn',
    body: confirmation,
    result: z.object({ secret: z.string().describe('base32'), uri: z.string().describe('otpauth://') }),
    errors: confirming,
    summary:
      'Start setting up an authenticator app or a replacement; nothing changes until one of its codes is confirmed',
  }),
  confirmTotp: endpoint({
    method: 'POST',
    path: '/api/second-factor/totp/confirmation',
    guard: 'member',
    beforeFactor: true,
    limit: 'signIn',
    body: z.object({ code }),
    result: changed,
    errors: ['SECOND_FACTOR_WRONG', 'SETUP_EXPIRED'],
    summary: 'Activate the authenticator app with one of its codes; replaces the previous app',
  }),
  startPasskey: endpoint({
    method: 'POST',
    path: '/api/second-factor/passkeys/options',
    guard: 'member',
    beforeFactor: true,
    limit: 'signIn',
    body: confirmation,
    result: passkeyCreation,
    errors: [...confirming, 'PASSKEYS_UNAVAILABLE', 'PASSKEYS_FULL'],
    summary: 'Start adding a passkey; returns a challenge that is valid for a few minutes',
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/api/second-factor/passkeys',
    guard: 'member',
    beforeFactor: true,
    limit: 'signIn',
    body: z.object({ name: z.string().trim().min(1).max(limits.passkeyNameCharacters), credential: attestation }),
    result: changed,
    errors: ['SETUP_EXPIRED', 'PASSKEY_REFUSED', 'PASSKEY_EXISTS', 'PASSKEYS_UNAVAILABLE', 'PASSKEYS_FULL'],
    summary: 'Add the passkey that signed the challenge',
  }),
  removePasskey: endpoint({
    method: 'POST',
    path: '/api/second-factor/passkeys/:id/removal',
    guard: 'member',
    limit: 'signIn',
    params: z.object({ id }),
    body: confirmation,
    result: changed,
    errors: [...confirming, 'PASSKEY_NOT_FOUND', 'SECOND_FACTOR_KEPT'],
    summary: 'Remove a passkey; removing the last factor switches two-factor authentication off',
  }),
  requestPasskey: endpoint({
    method: 'POST',
    path: '/api/second-factor/assertion',
    guard: 'member',
    limit: 'signIn',
    result: passkeyRequest,
    errors: ['SECOND_FACTOR_OFF', 'PASSKEYS_UNAVAILABLE'],
    summary: 'Create a challenge for a passkey that confirms a change',
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/api/second-factor/recovery-codes',
    guard: 'member',
    limit: 'signIn',
    body: confirmation,
    result: changed,
    errors: [...confirming, 'SECOND_FACTOR_OFF'],
    summary: 'Replace the recovery codes; the old ones stop working',
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/second-factor/removal',
    guard: 'member',
    limit: 'signIn',
    body: z
      .object({ what: z.enum(['totp', 'everything']), password: secret, ...proof })
      .refine(atMostOneFactor, severalFactors),
    result: changed,
    errors: [...confirming, 'SECOND_FACTOR_OFF', 'SECOND_FACTOR_KEPT'],
    summary: 'Remove the authenticator app, or switch two-factor authentication off and remove all factors',
  }),
  requestSignInPasskey: endpoint({
    method: 'POST',
    path: '/api/login/second-factor/assertion',
    guard: 'public',
    limit: 'signIn',
    body: z.object({ ticket: secret }),
    result: passkeyRequest,
    errors: ['TICKET_INVALID', 'SECOND_FACTOR_OFF', 'PASSKEYS_UNAVAILABLE'],
    summary: 'Create a challenge for a passkey that completes a sign-in',
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/login/second-factor',
    guard: 'public',
    limit: 'signIn',
    body: z
      .object({ ticket: secret, sharedComputer, ...proof })
      .refine((body) => given(body) === 1, { path: ['code'], error: 'Give a code, a backup code or a passkey.' }),
    result: signedInUser,
    errors: ['TICKET_INVALID', 'SECOND_FACTOR_WRONG', 'PASSKEY_REFUSED', 'ACCOUNT_LOCKED', 'ACCOUNT_UNAVAILABLE'],
    summary: 'Complete a sign-in or a recovery with the second factor; sets a session cookie',
  }),
}
