import type { FastifyReply } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { User } from '@privity/contract/session'
import type { Core } from '../../core/core.ts'
import type { Waiting } from '../secondFactor/ticket.ts'
import { sendDevice } from './device.ts'
import type { SignedIn } from './signIn.ts'
import { sendSession } from './startSession.ts'

/** Sends the cookies of a sign-in and returns the user; throws SECOND_FACTOR_REQUIRED with its ticket. */
export function deliver(core: Core, reply: FastifyReply, outcome: SignedIn | Waiting): User {
  if ('needed' in outcome) {
    sendDevice(core, reply, outcome.device)
    throw new AppError('SECOND_FACTOR_REQUIRED', { details: outcome.needed })
  }
  sendSession(core, reply, outcome.session)
  return outcome.user
}
