import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { Attestation, PasskeyCreation } from '@privity/contract/secondFactor'
import { audit } from '../../core/audit/audit.ts'
import { isTaken } from '../../core/database/errors.ts'
import type { Tx } from '../../core/database/types.ts'
import { newId } from '../../core/ids.ts'
import { checkSession } from '../session/passwordCheck.ts'
import { type MemberCall, runConfirmed, type Confirmation, recordChange, sessionHolder } from './confirmation.ts'
import { hasSecondFactor } from './enrollment.ts'
import { checkAttestation } from './passkeyVerification.ts'
import { creationOptions, requireRelyingParty, useChallenge } from './passkeyOptions.ts'
import { insertPasskey, selectPasskeys } from './queries.ts'
import { changedState } from './state.ts'
import { type ChangedState, createFirstRecoveryCodes } from './totpSetup.ts'

async function checkPasskeyCount(tx: Tx, userId: string): Promise<void> {
  if ((await selectPasskeys(tx, userId)).length >= limits.passkeys) throw new AppError('PASSKEYS_FULL')
}

/**
 * Creates a challenge for a new passkey, only after password and second factor: `addPasskey` asks for neither again.
 */
export async function startPasskey(call: MemberCall, confirmation: Confirmation): Promise<PasskeyCreation> {
  const { core, request, caller } = call
  const rp = requireRelyingParty(core, request)
  return runConfirmed(call, confirmation, async (tx, user) => {
    await checkPasskeyCount(tx, user.id)
    const { address } = caller
    const action = 'passkey_setup_started'
    await audit(tx, { action, actorId: user.id, targetId: user.id, address, at: core.clock.now() })
    return creationOptions(tx, core, rp, user, sessionHolder(caller.sessionId, 'add'))
  })
}

export async function addPasskey(
  call: MemberCall,
  { name, credential }: { name: string; credential: Attestation },
): Promise<ChangedState> {
  const { core, request, caller } = call
  const { userId } = caller
  const rp = requireRelyingParty(core, request)
  const challenge = await useChallenge(core, sessionHolder(caller.sessionId, 'add'), userId)
  if (challenge === undefined) throw new AppError('SETUP_EXPIRED')
  const created = await checkAttestation(credential, challenge, rp)
  if (created === undefined) throw new AppError('PASSKEY_REFUSED')
  const now = core.clock.now()
  const transports = JSON.stringify(credential.response.transports ?? [])
  const row = { id: newId(now), user_id: userId, name, ...created, transports, rp_id: rp.id }
  const add = async (tx: Tx) => {
    await checkSession(tx, caller)
    await checkPasskeyCount(tx, userId)
    const isFirst = !(await hasSecondFactor(tx, userId))
    await insertPasskey(tx, { ...row, created_at: now, last_used_at: null })
    const codes = await createFirstRecoveryCodes(tx, call, isFirst)
    await recordChange(tx, call, 'passkey_added', true)
    return changedState(tx, core, request, userId, codes)
  }
  return core.db.write(add).catch((error: unknown) => {
    throw isTaken(error, 'passkeys.credential_id') ? new AppError('PASSKEY_EXISTS') : error
  })
}
