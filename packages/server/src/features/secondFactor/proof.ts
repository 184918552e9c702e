import type { FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { Assertion, FactorMethod, SecondFactorProof } from '@privity/contract/secondFactor'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { PasskeyRow } from '../../core/database/tables/sessions.ts'
import { recordSecurityEvent } from '../../core/audit/securityEvents.ts'
import { knownDevice, readDevice } from '../session/device.ts'
import { countAttempt, resetAttempts, type LockKey, recordFailure } from '../session/locks.ts'
import { checkAssertion } from './passkeyVerification.ts'
import { requireRelyingParty, useChallenge } from './passkeyOptions.ts'
import { selectApp, selectPasskey, selectUsedSteps, usePasskey, markStepUsed } from './queries.ts'
import { useRecoveryCode } from './recoveryCodes.ts'
import { isUnused, findStep, maxStoredSteps } from './totp.ts'

/** Uses up a proof in the transaction that it authorizes; false if it is wrong or was used before. */
type Use = (tx: Tx) => Promise<boolean>

const refuse: Use = async () => false

/** An attempt to prove the second factor. */
interface Attempt {
  core: Core
  request: FastifyRequest
  userId: string
  /** The holder of the challenge that a passkey signs. */
  holder: string
}

function useCode({ core, userId }: Attempt, code: string): Use {
  return async (tx) => {
    const app = await selectApp(tx, userId)
    if (app === undefined) return false
    const secret = Buffer.from(core.secrets.decryptAtRest(app.secret), 'base64url')
    const now = core.clock.now()
    const step = findStep(secret, code, now)
    if (step === undefined || !isUnused(step, await selectUsedSteps(tx, userId), now)) return false
    await markStepUsed(tx, userId, step, maxStoredSteps)
    return true
  }
}

/** A counter that did not grow indicates a copy (WebAuthn, section 7.2); passkeys without a counter always send 0. */
const hasGrown = (stored: number, sent: number) => (stored === 0 && sent === 0) || sent > stored

async function reportCopy({ core, request, userId }: Attempt): Promise<void> {
  const description = 'A passkey showed an older counter than before: there may be a copy of it.'
  const event = { type: 'passkey_copy_suspected', severity: 'high', description } as const
  await core.db.write((tx) => recordSecurityEvent(tx, { ...event, at: core.clock.now(), userId, address: request.ip }))
}

async function useAssertion(attempt: Attempt, assertion: Assertion): Promise<Use> {
  const { core, request, userId, holder } = attempt
  const challenge = await useChallenge(core, holder, userId)
  const passkey = await selectPasskey(core.db.read, userId, assertion.id)
  if (challenge === undefined || passkey === undefined) return refuse
  const counter = await checkAssertion(assertion, challenge, requireRelyingParty(core, request), passkey)
  if (counter === undefined) return refuse
  if (!hasGrown(passkey.counter, counter)) {
    await reportCopy(attempt)
    return refuse
  }
  return async (tx) => {
    const current: PasskeyRow | undefined = await selectPasskey(tx, userId, assertion.id)
    if (current === undefined || !hasGrown(current.counter, counter)) return false
    await usePasskey(tx, current.id, counter, core.clock.now())
    return true
  }
}

async function prepare(
  attempt: Attempt,
  { code, recoveryCode, assertion }: SecondFactorProof,
): Promise<{ method: FactorMethod; use: Use }> {
  if (code !== undefined) return { method: 'totp', use: useCode(attempt, code) }
  if (recoveryCode !== undefined) {
    const { core, userId } = attempt
    return { method: 'recoveryCode', use: (tx) => useRecoveryCode(tx, core, userId, recoveryCode) }
  }
  return { method: 'passkey', use: assertion === undefined ? refuse : await useAssertion(attempt, assertion) }
}

const isWrong = (error: unknown) =>
  error instanceof AppError && (error.code === 'SECOND_FACTOR_WRONG' || error.code === 'PASSKEY_REFUSED')

/**
 * Checks a second factor and runs `change` in the transaction that uses it up. An attempt is counted with the wrong
 * passwords of the same browser before it is checked: ACCOUNT_LOCKED after five of either kind. If `change` throws, the
 * proof is not used up.
 */
export async function withSecondFactor<T>(
  attempt: Attempt,
  proof: SecondFactorProof,
  change: (tx: Tx, method: FactorMethod) => Promise<T>,
): Promise<T> {
  const { core, request, userId } = attempt
  const key: LockKey = { account: userId, device: await knownDevice(core.db.read, userId, readDevice(core, request)) }
  const { locks } = await countAttempt(core, key)
  let isRight = false
  try {
    const { method, use } = await prepare(attempt, proof)
    return await core.db.write(async (tx) => {
      isRight = await use(tx)
      if (!isRight) throw new AppError(method === 'passkey' ? 'PASSKEY_REFUSED' : 'SECOND_FACTOR_WRONG')
      await resetAttempts(tx, key)
      return change(tx, method)
    })
  } catch (error) {
    if (isWrong(error)) await recordFailure(core, 'failed_second_factor', { locks, userId, address: request.ip })
    // The factor was right and something else was refused: that must not lock the owner out.
    else if (isRight) await core.db.write((tx) => resetAttempts(tx, key))
    throw error
  }
}
