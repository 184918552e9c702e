import { confirmation as confirmationCalls } from '@privity/contract/confirmation'
import type { Result } from '@privity/contract/endpoint'
import {
  type Attestation,
  type PasskeyCreation,
  type PasskeyRequest,
  secondFactor as contract,
  type SecondFactorProof,
  type SecondFactorState,
} from '@privity/contract/secondFactor'
import type { Call } from '../transport/call.ts'
import { CallError } from '../transport/callError.ts'
import type { PasswordDerivation } from '../keys/passwordKeys.ts'
import type { Store } from '../transport/store.ts'
import type { AccountState } from '../types.ts'

/** The password, and the second factor where one is on. */
export type Confirmation = SecondFactorProof & { password: string }

/** `recoveryCodes` are shown once: with the first factor, and when they are renewed. */
export type SecondFactorChange = Result<typeof contract.confirmTotp>

/** One's own second factors. Without a confirmation that fits: WRONG_PASSWORD, SECOND_FACTOR_REQUIRED, SECOND_FACTOR_WRONG. */
export interface SecondFactor {
  state(): Promise<SecondFactorState>
  /** `secret` is the base32 text to type in, `uri` what a QR code holds. On, in the place of one in use, only after `confirmTotp`. */
  startTotp(confirmation: Confirmation): Promise<{ secret: string; uri: string }>
  confirmTotp(code: string): Promise<SecondFactorChange>
  startPasskey(confirmation: Confirmation): Promise<PasskeyCreation>
  addPasskey(passkey: { name: string; credential: Attestation }): Promise<SecondFactorChange>
  removePasskey(id: string, confirmation: Confirmation): Promise<SecondFactorChange>
  /** What a passkey is to answer; the answer goes into a confirmation as `assertion`. */
  passkeyRequest(): Promise<PasskeyRequest>
  /** Confirms for a while that it is oneself who uses this session: what administrators do to others asks for it. */
  confirmSession(confirmation: Confirmation): Promise<{ confirmedUntil: number }>
  renewRecoveryCodes(confirmation: Confirmation): Promise<SecondFactorChange>
  /** `everything` switches two-factor sign-in off. */
  remove(what: 'totp' | 'everything', confirmation: Confirmation): Promise<SecondFactorChange>
}

export function createSecondFactor(deps: {
  call: Call
  passwords: PasswordDerivation
  state: Store<AccountState>
}): SecondFactor {
  const { call, state } = deps

  /** As the server gets it: the key derived from the password in its place. */
  async function sent({ password, ...proof }: Confirmation): Promise<Confirmation> {
    const now = state.get()
    if (now.status !== 'open' && now.status !== 'factorMissing') throw new CallError('NOT_SIGNED_IN')
    const { authKey } = await deps.passwords.derive(password, now.user)
    return { ...proof, password: authKey }
  }

  return {
    state: () => call(contract.state, {}),
    startTotp: async (confirmation) => call(contract.startTotp, { body: await sent(confirmation) }),
    confirmTotp: (code) => call(contract.confirmTotp, { body: { code } }),
    startPasskey: async (confirmation) => call(contract.startPasskey, { body: await sent(confirmation) }),
    addPasskey: (passkey) => call(contract.addPasskey, { body: passkey }),
    removePasskey: async (id, confirmation) =>
      call(contract.removePasskey, { params: { id }, body: await sent(confirmation) }),
    passkeyRequest: () => call(contract.requestPasskey, {}),
    confirmSession: async (confirmation) => call(confirmationCalls.confirm, { body: await sent(confirmation) }),
    renewRecoveryCodes: async (confirmation) => call(contract.renewRecoveryCodes, { body: await sent(confirmation) }),
    remove: async (what, confirmation) => call(contract.remove, { body: { what, ...(await sent(confirmation)) } }),
  }
}
