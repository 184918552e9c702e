import { limits } from '@privity/contract/limits'
import type { EndReason } from '@privity/contract/events'

export const coreTexts = {
  language: 'Language',
  loading: 'Loading...',
  offline: 'You are offline',
  offlineWhy: 'Privity cannot reach its server, and goes on by itself as soon as it can.',
  offlineUntil: 'Until then, messages cannot be sent or read, and files cannot be sent, opened or approved.',
  offlineKept: 'Your drafts and the messages that wait to be sent are kept, encrypted, on this device.',
  retry: 'Try again',
  newVersion: 'A new version is available',
  newVersionHint: 'Reload when it suits you. Your drafts and what waits to be sent are kept.',
  later: 'Later',
  clockDiffers: 'The clocks differ',
  clockDiffersHint: `The clocks of this device and of the server are more than ${limits.clockWarning / 60_000} minutes apart. Times and expiry here follow the server. Check the date and time of this device. If they are right, tell whoever runs the server.`,
  crashed: 'This screen could not be shown',
  crashedWhy: 'Reload the page. What you have sent is not affected.',
  reload: 'Reload',
  unauthorized: 'Unauthorized',
  loggedOut: 'You are logged out. Logging in again...',
  signedOutHere: 'You are signed out on this device',
  sessionNotEnded:
    'The server could not be reached, so it has not ended the session yet. This browser tells it as soon as it can.',
  settingNotSaved: 'Setting not updated',
  settingNotSavedHint: 'It is as it was before. Try again.',
  sessionEnded: 'You are signed out',
  sessionEndedHere: 'This session was ended. Sign in again to go on.',
}

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

export const signOutTexts = {
  title: 'Log out and discard what was not sent?',
  sendings: 'Messages or files have not been sent yet.',
  drafts: 'A text that you were writing has not been sent.',
  lost: 'If you log out now, that is discarded.',
  confirm: 'Log out and discard',
}

export const newPasswordTexts = {
  strength: 'Password strength',
  words: ['Very weak', 'Weak', 'Fair', 'Good', 'Strong'],
  tooShort: `Too short: use at least ${limits.passwordCharacters} characters.`,
  errors: {
    short: `Use at least ${limits.passwordCharacters} characters.`,
    weak: 'Choose a stronger password: it must reach Good.',
    unknown: 'The strength of the password could not be checked. Try again.',
  },
}

/** Texts about second factors shared by sign-in and settings. */
export const proofTexts = {
  password: 'Password',
  passwordMissing: 'Enter your password.',
  checking: 'Checking...',
  fallback: 'That did not work. Try again.',
  code: 'Code from your authenticator app',
  codeHint: 'The 6 digits it shows for Privity now.',
  codeMissing: 'Enter the 6 digits that your authenticator app shows.',
  recoveryCode: 'Recovery code',
  recoveryCodeHint: 'One of the codes you saved. Each works once.',
  recoveryCodeMissing: 'Enter one of your recovery codes.',
  passkey: 'Your browser will ask for your passkey: a security key, or the lock of this device.',
  elsewhere: 'Your passkeys belong to another address of this server and cannot be used here.',
  nothing: 'You have nothing left here to confirm with. Contact your administrator.',
  use: {
    totp: 'Use the authenticator app',
    passkey: 'Use a passkey',
    recoveryCode: 'Use a recovery code',
  },
  cancelled: 'No passkey was used. Try again, or use another way.',
  unsupported: 'This browser cannot use passkeys.',
  existing: 'This passkey is already registered.',
}

export const legalTexts = {
  legal: 'Legal',
  terms: 'Terms',
  privacy: 'Privacy',
  threatModel: 'Threat model',
  toLanding: 'Back to the start page',
  toApplication: 'Back to your conversations',
}
