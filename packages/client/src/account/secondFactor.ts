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

/** `recoveryCodes` are shown once: with the first factor, and when renewed. */
export type SecondFactorChange = Result<typeof contract.confirmTotp>

/**
 * The user's own second factors. A missing or wrong confirmation throws WRONG_PASSWORD, SECOND_FACTOR_REQUIRED or
 * SECOND_FACTOR_WRONG.
 */
export interface SecondFactor {
  state(): Promise<SecondFactorState>
  /**
   * `secret`: base32, to be typed in; `uri`: for the QR code. Active, in place of the previous app, only after
   * `confirmTotp`.
   */
  startTotp(confirmation: Confirmation): Promise<{ secret: string; uri: string }>
  confirmTotp(code: string): Promise<SecondFactorChange>
  startPasskey(confirmation: Confirmation): Promise<PasskeyCreation>
  addPasskey(passkey: { name: string; credential: Attestation }): Promise<SecondFactorChange>
  removePasskey(id: string, confirmation: Confirmation): Promise<SecondFactorChange>
  /** The challenge for a passkey; its response goes into a confirmation as `assertion`. */
  passkeyRequest(): Promise<PasskeyRequest>
  /** Confirms the user's identity for this session for a while, as administrators' actions on others require. */
  confirmSession(confirmation: Confirmation): Promise<{ confirmedUntil: number }>
  renewRecoveryCodes(confirmation: Confirmation): Promise<SecondFactorChange>
  /** `everything` switches two-factor authentication off. */
  remove(what: 'totp' | 'everything', confirmation: Confirmation): Promise<SecondFactorChange>
}

export function createSecondFactor(deps: {
  call: Call
  passwords: PasswordDerivation
  state: Store<AccountState>
}): SecondFactor {
  const { call, state } = deps

  /** Replaces the password by the key derived from it, which is sent instead. */
  async function withAuthKey({ password, ...proof }: Confirmation): Promise<Confirmation> {
    const now = state.get()
    if (now.status !== 'open' && now.status !== 'factorMissing') throw new CallError('NOT_SIGNED_IN')
    const { authKey } = await deps.passwords.derive(password, now.user)
    return { ...proof, password: authKey }
  }

  return {
    state: () => call(contract.state, {}),
    startTotp: async (confirmation) => call(contract.startTotp, { body: await withAuthKey(confirmation) }),
    confirmTotp: (code) => call(contract.confirmTotp, { body: { code } }),
    startPasskey: async (confirmation) => call(contract.startPasskey, { body: await withAuthKey(confirmation) }),
    addPasskey: (passkey) => call(contract.addPasskey, { body: passkey }),
    removePasskey: async (id, confirmation) =>
      call(contract.removePasskey, { params: { id }, body: await withAuthKey(confirmation) }),
    passkeyRequest: () => call(contract.requestPasskey, {}),
    confirmSession: async (confirmation) => call(confirmationCalls.confirm, { body: await withAuthKey(confirmation) }),
    renewRecoveryCodes: async (confirmation) =>
      call(contract.renewRecoveryCodes, { body: await withAuthKey(confirmation) }),
    remove: async (what, confirmation) =>
      call(contract.remove, { body: { what, ...(await withAuthKey(confirmation)) } }),
  }
}
