import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { PushState, PushSubscription } from '@privity/contract/push'
import { auditCall } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { hashToken } from '../../core/sessions/tokens.ts'
import { policyOf } from '../preferences/preferences.ts'
import { readDevice } from '../session/device.ts'
import { checkSession } from '../session/passwordCheck.ts'
import { isPoint } from './encryption.ts'
import { isAllowedEndpoint } from './pushServices.ts'
import {
  deleteSubscription,
  deleteSubscriptionsIn,
  hasMissedMessage,
  putSubscription,
  selectChoice,
  selectSubscription,
  setChoice,
} from './queries.ts'
import { vapidKeyOf } from './vapidKey.ts'

/** A member's call from one of their browsers. */
export interface PushCall {
  core: Core
  request: FastifyRequest
  caller: Caller
}

/** The browser's name in `known_devices`; '' if it has none. */
function deviceOf({ core, request }: PushCall): string {
  const device = readDevice(core, request)
  return device === undefined ? '' : hashToken(device)
}

export const readSubscription = ({ secrets }: Pick<Core, 'secrets'>, encrypted: string): PushSubscription =>
  JSON.parse(secrets.decryptAtRest(encrypted)) as PushSubscription

export async function getPushState(call: PushCall): Promise<PushState> {
  const { core, caller } = call
  const { read } = core.db
  const { userId, sessionId } = caller
  const { pushForbidden } = await policyOf(read, userId)
  const isAvailable = core.config.pushHosts.length > 0
  const availability = pushForbidden ? 'forbidden' : isAvailable ? 'available' : 'unavailable'
  const row = await selectSubscription(read, sessionId)
  const chosen = (await selectChoice(read, userId, deviceOf(call)))?.push
  const choice = row !== undefined || chosen === 1 ? 'on' : chosen === 0 ? 'off' : null
  return {
    availability,
    publicKey: (await vapidKeyOf(core)).publicKey,
    choice,
    endpoint: row === undefined ? null : readSubscription(core, row.subscription).endpoint,
    isOffered:
      availability === 'available' && choice === null && (await hasMissedMessage(read, userId, core.clock.now())),
  }
}

/** Subscribes the caller's session, in place of the subscription that it had. */
export async function subscribe(call: PushCall, subscription: PushSubscription): Promise<void> {
  const { core, caller } = call
  const { endpoint, p256dh } = subscription
  if (!isAllowedEndpoint(endpoint, core.config.pushHosts)) throw new AppError('PUSH_SERVICE_REFUSED')
  if (!isPoint(p256dh)) {
    const details = [{ path: 'p256dh', message: 'This is not a point of P-256.' }]
    throw new AppError('INVALID_INPUT', { details })
  }
  await core.db.write(async (tx) => {
    await checkSession(tx, caller)
    if ((await policyOf(tx, caller.userId)).pushForbidden) throw new AppError('PUSH_FORBIDDEN')
    await putSubscription(tx, {
      session_id: caller.sessionId,
      user_id: caller.userId,
      endpoint_hash: createHash('sha256').update(endpoint).digest('base64url'),
      subscription: core.secrets.encryptAtRest(JSON.stringify(subscription)),
    })
    await setChoice(tx, caller.userId, deviceOf(call), 1)
    const details = { service: new URL(endpoint).hostname }
    await auditCall(tx, caller, { action: 'push_switched_on', details, at: core.clock.now() })
  })
}

/** A call that changes nothing writes no entry. */
export async function unsubscribe(call: PushCall): Promise<void> {
  const { core, caller } = call
  await core.db.write(async (tx) => {
    const device = deviceOf(call)
    const chosen = (await selectChoice(tx, caller.userId, device))?.push
    const { changes } = await deleteSubscription(tx, caller.sessionId)
    if (changes === 0 && chosen === 0) return
    await setChoice(tx, caller.userId, device, 0)
    await auditCall(tx, caller, { action: 'push_switched_off', at: core.clock.now() })
  })
}

/** Ends the subscriptions of an organization that forbids them. */
export const forbidPush = (tx: Tx, organizationId: string) => deleteSubscriptionsIn(tx, organizationId)
