import type { EndReason } from '@privity/contract/events'

const reasons: Record<EndReason, string> = {
  deactivated: 'An administrator deactivated your account. You can sign in again once it is activated.',
  suspended: 'The operator of this server suspended your account. You can sign in again once that is lifted.',
  deleted: 'An administrator deleted your account.',
  second_factor_reset: 'An administrator reset your second factor. Sign in again.',
  role_user: 'An administrator changed your role to User. Sign in again.',
  role_org_admin: 'An administrator changed your role to Admin. Sign in again.',
  role_super_admin: 'An administrator changed your role to Super Admin. Sign in again.',
}

export const sessionEndTexts = {
  reasons,
  /** For a reason that this version does not know. */
  other: 'This session was ended. Sign in again to go on.',
}
