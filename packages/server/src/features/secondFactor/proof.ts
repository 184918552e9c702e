import type { FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { Assertion, FactorMethod, SecondFactorProof } from '@privity/contract/secondFactor'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { PasskeyRow } from '../../core/database/tables/sessions.ts'
import { recordSecurityEvent } from '../../core/audit/securityEvents.ts'
import { knownDevice, readDevice } from '../session/device.ts'
import { countAttempt, forgiveAttempts, type LockKey, recordFailure } from '../session/locks.ts'
import { checkAssertion } from './passkeyVerification.ts'
import { requireRelyingParty, useChallenge } from './passkeyOptions.ts'
import { selectApp, selectPasskey, selectUsedSteps, usePasskey, useStep } from './queries.ts'
import { useRecoveryCode } from './recoveryCodes.ts'
import { isUnused, stepOf, stepsKept } from './totp.ts'

/** Uses up a proof in the transaction that it authorizes; false if it is wrong or was used before. */
type Use = (tx: Tx) => Promise<boolean>

const none: Use = async () => false

interface Checking {
  core: Core
  request: FastifyRequest
  userId: string
  /** The holder of the challenge that a passkey signs. */
  holder: string
}

function useCode({ core, userId }: Checking, code: string): Use {
  return async (tx) => {
    const app = await selectApp(tx, userId)
    if (app === undefined) return false
    const secret = Buffer.from(core.secrets.openAtRest(app.secret), 'base64url')
    const now = core.clock.now()
    const step = stepOf(secret, code, now)
    if (step === undefined || !isUnused(step, await selectUsedSteps(tx, userId), now)) return false
    await useStep(tx, userId, step, stepsKept)
    return true
  }
}

/** A counter that did not grow indicates a copy (WebAuthn, section 7.2); passkeys without a counter always show 0. */
const hasGrown = (stored: number, shown: number) => (stored === 0 && shown === 0) || shown > stored

async function reportCopy({ core, request, userId }: Checking): Promise<void> {
  const description = 'A passkey showed an older counter than before: there may be a copy of it.'
  const event = { type: 'passkey_copy_suspected', severity: 'high', description } as const
  await core.db.write((tx) => recordSecurityEvent(tx, { ...event, at: core.clock.now(), userId, address: request.ip }))
}

async function useAssertion(checking: Checking, given: Assertion): Promise<Use> {
  const { core, request, userId, holder } = checking
  const challenge = await useChallenge(core, holder, userId)
  const passkey = await selectPasskey(core.db.read, userId, given.id)
  if (challenge === undefined || passkey === undefined) return none
  const counter = await checkAssertion(given, challenge, requireRelyingParty(core, request), passkey)
  if (counter === undefined) return none
  if (!hasGrown(passkey.counter, counter)) {
    await reportCopy(checking)
    return none
  }
  return async (tx) => {
    const now: PasskeyRow | undefined = await selectPasskey(tx, userId, given.id)
    if (now === undefined || !hasGrown(now.counter, counter)) return false
    await usePasskey(tx, now.id, counter, core.clock.now())
    return true
  }
}

async function prepare(
  checking: Checking,
  { code, recoveryCode, assertion }: SecondFactorProof,
): Promise<{ method: FactorMethod; use: Use }> {
  if (code !== undefined) return { method: 'totp', use: useCode(checking, code) }
  if (recoveryCode !== undefined) {
    const { core, userId } = checking
    return { method: 'recoveryCode', use: (tx) => useRecoveryCode(tx, core, userId, recoveryCode) }
  }
  return { method: 'passkey', use: assertion === undefined ? none : await useAssertion(checking, assertion) }
}

const isWrong = (error: unknown) =>
  error instanceof AppError && (error.code === 'SECOND_FACTOR_WRONG' || error.code === 'PASSKEY_REFUSED')

/**
 * Checks a second factor and runs `then` in the transaction that uses it up. An attempt is counted with the wrong
 * passwords of the same browser before it is checked: ACCOUNT_LOCKED after five of either kind. If `then` throws, the
 * proof is not used up.
 */
export async function withSecondFactor<T>(
  checking: Checking,
  proof: SecondFactorProof,
  then: (tx: Tx, method: FactorMethod) => Promise<T>,
): Promise<T> {
  const { core, request, userId } = checking
  const key: LockKey = { account: userId, device: await knownDevice(core.db.read, userId, readDevice(core, request)) }
  const { locks } = await countAttempt(core, key)
  let isRight = false
  try {
    const { method, use } = await prepare(checking, proof)
    return await core.db.write(async (tx) => {
      isRight = await use(tx)
      if (!isRight) throw new AppError(method === 'passkey' ? 'PASSKEY_REFUSED' : 'SECOND_FACTOR_WRONG')
      await forgiveAttempts(tx, key)
      return then(tx, method)
    })
  } catch (error) {
    if (isWrong(error)) await recordFailure(core, 'failed_second_factor', { locks, userId, address: request.ip })
    // The factor was right and something else was refused: that must not lock the owner out.
    else if (isRight) await core.db.write((tx) => forgiveAttempts(tx, key))
    throw error
  }
}
