import { AppError } from '@privity/contract/errors'
import type { UserRow } from '../../core/database/tables/users.ts'

type UserWithKeys = UserRow & {
  identity_key: string
  wrapped_identity_seed: string
  wrapped_account_key: string
  recovery_wrapped_account_key: string
}

/** Throws NO_KEYS for an account made by a client without keys. */
export function requireKeys(user: UserRow): UserWithKeys {
  if (user.identity_key === null) throw new AppError('NO_KEYS')
  return user as UserWithKeys
}
