import type { EndReason } from '@privity/contract/events'

const reasons: Record<EndReason | 'keys_not_opened' | 'browser_removed' | 'STORAGE_FULL', string> = {
  deactivated: 'An administrator deactivated your account. You can sign in again once it is activated.',
  suspended: 'The operator of this server suspended your account. You can sign in again once the suspension is lifted.',
  deleted: 'An administrator deleted your account.',
  second_factor_reset: 'An administrator reset your second factor. Sign in again.',
  role_user: 'An administrator changed your role to User. Sign in again.',
  role_org_admin: 'An administrator changed your role to Admin. Sign in again.',
  role_super_admin: 'An administrator changed your role to Super Admin. Sign in again.',
  browser_removed: 'You removed a browser that had used the same session as this one. Sign in again to continue.',
  browser_removed_elsewhere:
    'Another browser removed this one, or one that had used the same session. Sign in again to continue.',
  keys_not_opened:
    'Your password and keys were replaced, but this browser could not open the new keys. Sign in with your new password.',
  STORAGE_FULL: 'The server has no space left. Nothing was lost; reload this page later.',
}

export const sessionEndTexts = {
  reasons,
  /** For a reason that this version does not know. */
  other: 'This session has ended. Sign in again to continue.',
}

export const openedLinkTexts = {
  hint: 'You opened a link to connect with someone. Sign in or create an account: their code is then filled in for you.',
}
