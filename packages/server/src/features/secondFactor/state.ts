import type { FastifyRequest } from 'fastify'
import type { FactorMethod, SecondFactorState } from '@privity/contract/secondFactor'
import type { Core } from '../../core/core.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import { countRecoveryCodes, selectApp, selectPasskeys } from './queries.ts'
import { relyingPartyOf } from './passkeyOptions.ts'

export async function stateOf(
  db: Reader,
  core: Core,
  request: FastifyRequest,
  userId: string,
): Promise<SecondFactorState> {
  const rp = relyingPartyOf(core.config, request.headers.host)
  const app = await selectApp(db, userId)
  const passkeys = await selectPasskeys(db, userId)
  return {
    on: app !== undefined || passkeys.length > 0,
    totp: app === undefined ? null : { since: app.confirmed_at ?? app.created_at },
    passkeys: passkeys.map((row) => ({
      id: row.id,
      name: row.name,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
      usable: typeof rp !== 'string' && rp.id === row.rp_id,
    })),
    recoveryCodesLeft: await countRecoveryCodes(db, userId),
    passkeysHere: typeof rp === 'string' ? rp : 'possible',
  }
}

/** The methods of confirmation at this address, the likeliest first. */
export function methodsIn({ totp, passkeys, recoveryCodesLeft }: SecondFactorState): FactorMethod[] {
  const methods: FactorMethod[] = []
  if (totp !== null) methods.push('totp')
  if (passkeys.some(({ usable }) => usable)) methods.push('passkey')
  if (recoveryCodesLeft > 0) methods.push('recoveryCode')
  return methods
}

/** The response to a change; notifies every other tab of the user. */
export async function changedState(
  tx: Tx,
  core: Core,
  request: FastifyRequest,
  userId: string,
  recoveryCodes?: string[],
): Promise<{ state: SecondFactorState; recoveryCodes: string[] | undefined }> {
  tx.afterCommit(() => core.sockets.notify(userId, { type: 'second_factor_changed' }))
  return { state: await stateOf(tx, core, request, userId), recoveryCodes }
}
