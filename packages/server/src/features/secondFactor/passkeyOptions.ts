import { randomBytes } from 'node:crypto'
import { limits } from '@privity/contract/limits'
import { AppError } from '@privity/contract/errors'
import type { PasskeyCreation, PasskeyRequest } from '@privity/contract/secondFactor'
import type { FastifyRequest } from 'fastify'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { PasskeyRow } from '../../core/database/tables/sessions.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import { putChallenge, selectPasskeys, takeChallenge } from './queries.ts'
import { type RelyingParty, relyingPartyOf } from './relyingParty.ts'

/** EdDSA, ES256, RS256. */
export const algorithms = [-8, -7, -257]

const describe = ({ credential_id: id, transports }: PasskeyRow) => ({
  id,
  type: 'public-key' as const,
  transports: JSON.parse(transports) as string[],
})

export function requireRelyingParty(core: Core, request: FastifyRequest): RelyingParty {
  const found = relyingPartyOf(core.config, request.headers.host)
  if (typeof found === 'string') throw new AppError('PASSKEYS_UNAVAILABLE')
  return found
}

/** Creates a challenge for one response within a few minutes; it replaces an earlier one. */
async function createChallenge(tx: Tx, { clock }: Core, holder: string, userId: string): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  await putChallenge(tx, holder, userId, challenge, clock.now() + limits.passkeyTime)
  return challenge
}

/** Uses up the challenge; undefined if there is none or it has expired. */
export async function useChallenge({ db, clock }: Core, holder: string, userId: string): Promise<string | undefined> {
  const found = await db.write((tx) => takeChallenge(tx, holder, userId))
  return found !== undefined && found.expires_at > clock.now() ? found.challenge : undefined
}

/** Call it in the transaction of the proof that a new passkey needs. */
export async function creationOptions(
  tx: Tx,
  core: Core,
  rp: RelyingParty,
  user: UserRow,
  holder: string,
): Promise<PasskeyCreation> {
  const existing = await selectPasskeys(tx, user.id)
  return {
    challenge: await createChallenge(tx, core, holder, user.id),
    rp: { id: rp.id, name: 'Privity' },
    user: {
      id: Buffer.from(user.id).toString('base64url'),
      name: user.username,
      displayName: `${user.first_name} ${user.last_name}`,
    },
    pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' as const })),
    timeout: limits.passkeyTime,
    attestation: 'none',
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'discouraged' },
    excludeCredentials: existing.filter(({ rp_id }) => rp_id === rp.id).map(describe),
  }
}

/** A challenge for the user's passkeys that belong to this address. */
export async function requestOptions(
  core: Core,
  request: FastifyRequest,
  userId: string,
  holder: string,
): Promise<PasskeyRequest> {
  const rp = requireRelyingParty(core, request)
  const usable = (await selectPasskeys(core.db.read, userId)).filter(({ rp_id }) => rp_id === rp.id)
  if (usable.length === 0) throw new AppError('SECOND_FACTOR_OFF')
  return {
    challenge: await core.db.write((tx) => createChallenge(tx, core, holder, userId)),
    rpId: rp.id,
    timeout: limits.passkeyTime,
    userVerification: 'discouraged',
    allowCredentials: usable.map(describe),
  }
}
