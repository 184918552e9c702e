import type { FastifyRequest } from 'fastify'
import type { account as contract } from '@privity/contract/account'
import type { Received } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import type { Core } from '../../core/core.ts'
import type { Caller } from '../../core/guards.ts'
import { checkProven, provePassword } from '../session/provePassword.ts'
import { getUser } from '../session/users.ts'
import { deleteUser } from './deleteUser.ts'

type Confirmation = Received<typeof contract.remove>['body']

const otherName = () =>
  new AppError('INVALID_INPUT', { details: [{ path: 'username', message: 'That is not your username.' }] })

/** Deletes the caller's own account, once he has typed its name and its password. */
export async function deleteOwnAccount(
  core: Core,
  request: FastifyRequest,
  caller: Caller,
  { username, password }: Confirmation,
): Promise<void> {
  const named = await getUser(core.db.read, caller.userId)
  if (username !== named.username) throw otherName()
  const proven = await provePassword(core, request, caller, password)
  await deleteUser(core, {
    userId: caller.userId,
    actorId: caller.userId,
    address: caller.address,
    action: 'account_deleted',
    confirm: async (tx) => void (await checkProven(tx, caller, proven)),
  })
}
