import type { Assertion, Attestation } from '@privity/contract/secondFactor'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { PasskeyRow } from '../../core/database/tables/sessions.ts'
import { algorithms, type RelyingParty } from './passkeyOptions.ts'

/** Loaded lazily, with the first passkey: most servers start without needing it. */
const load = () => import('@simplewebauthn/server')

type Created = Pick<PasskeyRow, 'credential_id' | 'public_key' | 'counter'>

/** Returns the public key of a new passkey if it signed this challenge at this address; else undefined. */
export async function checkAttestation(
  attestation: Attestation,
  challenge: string,
  rp: RelyingParty,
): Promise<Created | undefined> {
  const { verifyRegistrationResponse } = await load()
  const result = await verifyRegistrationResponse({
    response: attestation as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    supportedAlgorithmIDs: algorithms,
    // A second factor proves possession; the password has proved knowledge.
    requireUserVerification: false,
  }).catch(() => undefined)
  if (!result?.verified) return undefined
  const { id, publicKey, counter } = result.registrationInfo.credential
  return { credential_id: id, public_key: Buffer.from(publicKey).toString('base64url'), counter }
}

/** Returns the counter of a passkey if it signed this challenge at this address; else undefined. */
export async function checkAssertion(
  assertion: Assertion,
  challenge: string,
  rp: RelyingParty,
  passkey: PasskeyRow,
): Promise<number | undefined> {
  if (passkey.rp_id !== rp.id) return undefined
  const { verifyAuthenticationResponse } = await load()
  const result = await verifyAuthenticationResponse({
    response: assertion as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    // The counter is compared in the transaction that stores the new one.
    credential: { id: passkey.credential_id, publicKey: Buffer.from(passkey.public_key, 'base64url'), counter: 0 },
    requireUserVerification: false,
  }).catch(() => undefined)
  return result?.verified ? result.authenticationInfo.newCounter : undefined
}
