import type { account as contract } from '@privity/contract/account'
import type { Received } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { type Asked, confirmed } from '../secondFactor/confirmation.ts'
import { getUser } from '../session/users.ts'
import { deleteUser } from './deleteUser.ts'

type Confirmation = Received<typeof contract.remove>['body']

const otherName = () =>
  new AppError('INVALID_INPUT', { details: [{ path: 'username', message: 'That is not your username.' }] })

/** Deletes the caller's own account, after they have typed its username and confirmed their identity. */
export async function deleteOwnAccount(asked: Asked, { username, ...confirmation }: Confirmation): Promise<void> {
  const { core, caller } = asked
  const { userId, address } = caller
  const named = await getUser(core.db.read, userId)
  if (username !== named.username) throw otherName()
  await deleteUser(core, { userId, actorId: userId, address, action: 'account_deleted' }, (remove) =>
    confirmed(asked, confirmation, remove),
  )
}
