import type { Assertion, Attestation, PasskeyCreation, PasskeyRequest } from '@privity/contract/secondFactor'
import { proofTexts } from './texts.ts'

/** The translation between bytes and text that browsers leave to pages; loaded with the first passkey. */
const load = () => import('@simplewebauthn/browser')

/** Has the shape of a failed call, so that screens show its sentence. */
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

/** Lets the user answer with one of the passkeys asked for. */
export async function askPasskey(request: PasskeyRequest): Promise<Assertion> {
  const { startAuthentication } = await load()
  const options = request as Parameters<typeof startAuthentication>[0]['optionsJSON']
  return orSentence(startAuthentication({ optionsJSON: options }) as Promise<Assertion>)
}

/** Lets the user make a passkey. */
export async function createPasskey(creation: PasskeyCreation): Promise<Attestation> {
  const { startRegistration } = await load()
  const options = creation as Parameters<typeof startRegistration>[0]['optionsJSON']
  return orSentence(startRegistration({ optionsJSON: options }) as Promise<Attestation>)
}
