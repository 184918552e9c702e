import { randomBytes } from 'node:crypto'
import { AppError } from '@privity/contract/errors'
import type { FounderFactorState, FounderProof } from '@privity/contract/founder/secondFactor'
import { limits } from '@privity/contract/limits'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import { hashToken } from '../../../core/sessions/tokens.ts'
import { readDevice } from '../../session/device.ts'
import { secretBytes, findStep, toBase32, uriOf } from '../../secondFactor/totp.ts'
import { rewrapReportKeys } from '../reportKeys.ts'
import { isPasswordConfigured, readVerifier, writeVerifier } from '../session/verifier.ts'
import { checkSession, type FounderRequest, runConfirmed } from './confirmation.ts'
import { renewCodes, stateOf } from './proof.ts'
import { deleteFactors, upsertApp, selectApp } from './queries.ts'

type Given = FounderProof & { password: string }

/**
 * A setup that waits for its first code. The browser holds it, encrypted; the server stores nothing before that code.
 */
interface Setup {
  secret: string
  sessionId: string
  /** Creation time of the app that it replaces; null if there is none. */
  instead: number | null
  verifier: string
  expiresAt: number
}

const auditEntry = ({ core, founder }: FounderRequest, action: string, details?: Record<string, string | number>) => ({
  action,
  actorId: 'founder',
  address: founder.address,
  at: core.clock.now(),
  ...(details && { details }),
})

export function startTotp(
  founderRequest: FounderRequest,
  given: Given,
): Promise<{ secret: string; uri: string; setup: string }> {
  const { core, founder } = founderRequest
  const bytes = randomBytes(secretBytes)
  return runConfirmed(founderRequest, given, async (tx) => {
    const setup: Setup = {
      secret: bytes.toString('base64url'),
      sessionId: founder.sessionId,
      instead: (await selectApp(tx))?.created_at ?? null,
      verifier: (await readVerifier(tx)).hash,
      expiresAt: core.clock.now() + limits.totpSetupTime,
    }
    await audit(tx, auditEntry(founderRequest, 'founder_totp_setup_started'))
    const secret = toBase32(bytes)
    const uri = uriOf(secret, 'Privity', core.config.founder.username)
    return { secret, uri, setup: core.secrets.encryptAtRest(JSON.stringify({ purpose: 'founder-totp', ...setup })) }
  })
}

function openSetup({ secrets }: Core, sealed: string): Setup {
  try {
    const setup = JSON.parse(secrets.decryptAtRest(sealed)) as Setup & { purpose?: string }
    if (setup.purpose === 'founder-totp') return setup
  } catch {
    // Not encrypted by this server.
  }
  throw new AppError('SETUP_EXPIRED')
}

/** Switches the app on: the code proves that it has the secret and the right time. */
export function confirmTotp(
  founderRequest: FounderRequest,
  given: { setup: string; code: string },
): Promise<{ state: FounderFactorState; recoveryCodes: string[] }> {
  const { core, founder } = founderRequest
  const setup = openSetup(core, given.setup)
  return core.db.write(async (tx) => {
    await checkSession(tx, founder)
    const now = core.clock.now()
    const instead = (await selectApp(tx))?.created_at ?? null
    const isCurrent = setup.sessionId === founder.sessionId && setup.instead === instead
    if (!isCurrent || setup.expiresAt <= now || setup.verifier !== (await readVerifier(tx)).hash)
      throw new AppError('SETUP_EXPIRED')
    const step = findStep(Buffer.from(setup.secret, 'base64url'), given.code, now)
    if (step === undefined) throw new AppError('SECOND_FACTOR_WRONG')
    await upsertApp(tx, core.secrets.encryptAtRest(setup.secret), step, now)
    const recoveryCodes = await renewCodes(tx, core)
    await audit(tx, auditEntry(founderRequest, instead === null ? 'founder_totp_added' : 'founder_totp_replaced'))
    return { state: await stateOf(tx), recoveryCodes }
  })
}

export function removeFactor(founderRequest: FounderRequest, given: Given): Promise<FounderFactorState> {
  const { core } = founderRequest
  return runConfirmed(founderRequest, given, async (tx) => {
    if ((await selectApp(tx)) === undefined) throw new AppError('SECOND_FACTOR_OFF')
    await deleteFactors(tx)
    tx.afterCommit(core.db.emptyLogSoon)
    await audit(tx, auditEntry(founderRequest, 'founder_totp_removed'))
    return stateOf(tx)
  })
}

/**
 * Ends every other session, known browser and sign-in under way: they belong to the old password. Returns the token
 * with which this session continues.
 */
export async function changePassword(
  founderRequest: FounderRequest,
  given: Given & { newPassword: string; salt: string; reportKeys: { id: string; wrappedSeed: string }[] },
): Promise<string | undefined> {
  const { core, founder } = founderRequest
  if (isPasswordConfigured(core.config)) throw new AppError('PASSWORD_IN_ENVIRONMENT')
  const hash = await core.passwords.hash(given.newPassword)
  return runConfirmed(founderRequest, given, async (tx) => {
    await writeVerifier(tx, { salt: given.salt, hash })
    await rewrapReportKeys(tx, core, given.reportKeys)
    const { changes: ended } = await tx.run('delete from founder_sessions where id <> ?', [founder.sessionId])
    const device = readDevice(core, founderRequest.request)
    await tx.run('delete from founder_devices where device <> ?', [device === undefined ? '' : hashToken(device)])
    await tx.run('delete from founder_tickets')
    tx.afterCommit(core.db.emptyLogSoon)
    await audit(
      tx,
      auditEntry(founderRequest, 'founder_password_changed', { ended, reportKeys: given.reportKeys.length }),
    )
    return core.founderSessions.renew(tx, founder)
  })
}
