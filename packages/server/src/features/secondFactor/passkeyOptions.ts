import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { limits } from '@privity/contract/limits'
import { AppError } from '@privity/contract/errors'
import type { PasskeyCreation, PasskeyRequest, SecondFactorState } from '@privity/contract/secondFactor'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../core/config/types.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { PasskeyRow } from '../../core/database/tables/sessions.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import { upsertChallenge, selectPasskeys, deleteChallenge } from './queries.ts'

/** EdDSA, ES256, RS256. */
export const algorithms = [-8, -7, -257]

const toDescriptor = ({ credential_id: id, transports }: PasskeyRow) => ({
  id,
  type: 'public-key' as const,
  transports: JSON.parse(transports) as string[],
})

/** The site that a passkey is made for: `id` is its domain, `origin` the address of the page. */
export interface RelyingParty {
  id: string
  origin: string
}

type Unavailable = Exclude<SecondFactorState['passkeysHere'], 'possible'>

/**
 * Returns the party derived from PUBLIC_URL, else from the host name that the browser used, like the check of Origin. A
 * passkey made under one name is never accepted under another. Browsers offer passkeys to domains over HTTPS, and to
 * localhost.
 */
export function relyingPartyOf(
  { publicUrl, tls }: Pick<Config, 'publicUrl' | 'tls'>,
  hostHeader: string | undefined,
): RelyingParty | Unavailable {
  const text = publicUrl ?? `${tls === undefined ? 'http' : 'https'}://${hostHeader ?? ''}`
  if (!URL.canParse(text)) return 'address'
  const { hostname, protocol, origin } = new URL(text)
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return 'address'
  if (protocol !== 'https:' && hostname !== 'localhost') return 'insecure'
  return { id: hostname, origin }
}

export function requireRelyingParty(core: Core, request: FastifyRequest): RelyingParty {
  const party = relyingPartyOf(core.config, request.headers.host)
  if (typeof party === 'string') throw new AppError('PASSKEYS_UNAVAILABLE')
  return party
}

/** Creates a challenge for one response within a few minutes; it replaces an earlier one. */
async function createChallenge(tx: Tx, { clock }: Core, holder: string, userId: string): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  await upsertChallenge(tx, holder, userId, challenge, clock.now() + limits.passkeyTime)
  return challenge
}

/** Uses up the challenge; undefined if there is none or it has expired. */
export async function useChallenge({ db, clock }: Core, holder: string, userId: string): Promise<string | undefined> {
  const row = await db.write((tx) => deleteChallenge(tx, holder, userId))
  const left = (row?.expires_at ?? 0) - clock.now()
  // One that lives longer than any was made while the clock was ahead.
  return left > 0 && left <= limits.passkeyTime + limits.clockTolerance ? row?.challenge : undefined
}

/** Call it in the transaction that confirms the new passkey with password and second factor. */
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
    excludeCredentials: existing.filter(({ rp_id }) => rp_id === rp.id).map(toDescriptor),
  }
}

/** Creates a challenge for those of the user's passkeys that belong to this address. */
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
    allowCredentials: usable.map(toDescriptor),
  }
}
