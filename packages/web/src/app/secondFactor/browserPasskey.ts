import type { Assertion, Attestation, PasskeyCreation, PasskeyRequest } from '@privity/contract/secondFactor'
import { proofTexts } from '../texts.ts'

/** Loaded with the first passkey: converts between the bytes of WebAuthn and base64url. */
const load = () => import('@simplewebauthn/browser')

/** Has the shape of a CallError, so that screens show its message. */
function toError(cause: unknown): Error {
  const name = cause instanceof Error ? cause.name : ''
  const sentence =
    name === 'InvalidStateError'
      ? proofTexts.existing
      : name === 'NotSupportedError' || !('credentials' in navigator)
        ? proofTexts.unsupported
        : proofTexts.cancelled
  return Object.assign(new Error(sentence, { cause }), { status: 0, code: 'PASSKEY_NOT_USED', sentence })
}

async function orSentence<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    throw toError(cause)
  }
}

export async function askPasskey(request: PasskeyRequest): Promise<Assertion> {
  const { startAuthentication } = await load()
  const options = request as Parameters<typeof startAuthentication>[0]['optionsJSON']
  return orSentence(startAuthentication({ optionsJSON: options }) as Promise<Assertion>)
}

export async function createPasskey(creation: PasskeyCreation): Promise<Attestation> {
  const { startRegistration } = await load()
  const options = creation as Parameters<typeof startRegistration>[0]['optionsJSON']
  return orSentence(startRegistration({ optionsJSON: options }) as Promise<Attestation>)
}
