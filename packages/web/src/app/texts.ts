import { limits } from '@privity/contract/limits'

export const coreTexts = {
  language: 'Language',
  loading: 'Loading...',
  stillLoading: 'Still loading: the server has not answered yet.',
  tryAgainOrReload: 'Try again in a moment, or reload the page.',
  offline: 'You are offline',
  offlineWhy: 'Privity cannot reach its server. It reconnects automatically.',
  offlineUntil: 'Until then, messages cannot be sent or read, and files cannot be sent, opened or approved.',
  offlineKept: 'Your drafts and unsent messages are kept on this device, encrypted.',
  retry: 'Try again',
  newVersion: 'A new version is available',
  newVersionHint: 'Reload the page to update. Your drafts and unsent messages are kept.',
  languageOffer: (name: string) => `Use ${name}?`,
  later: 'Later',
  clockDiffers: 'Device and server clocks differ',
  clockDiffersHint: `The clocks of this device and of the server are more than ${limits.clockWarning / 60_000} minutes apart. Privity uses the time of the server. Check the date and time of this device. If they are correct, contact the operator of the server.`,
  crashed: 'This screen could not be shown',
  crashedWhy: 'Reload the page. What you have sent is not affected.',
  reload: 'Reload',
  unauthorized: 'Unauthorized',
  loggedOut: 'You are logged out. Logging in again...',
  signedOutHere: 'You are signed out on this device',
  sessionNotEnded:
    'The server could not be reached, so the session has not ended there yet. This browser will end it once the server can be reached.',
  settingNotSaved: 'Setting not updated',
  settingNotSavedHint: 'Nothing was changed. Try again.',
  sessionEnded: 'You are signed out',
  sessionEndedHere: 'This session has ended. Sign in again to continue.',
}

export const signOutTexts = {
  title: 'Discard unsent messages and log out?',
  sendings: 'Some messages or files have not been sent yet.',
  drafts: 'You have an unsent draft.',
  lost: 'If you log out now, unsent messages, files and drafts are discarded.',
  confirm: 'Discard and log out',
}

export const newPasswordTexts = {
  strength: 'Password strength',
  words: ['Very weak', 'Weak', 'Fair', 'Good', 'Strong'],
  tooShort: `Too short: use at least ${limits.passwordCharacters} characters.`,
  errors: {
    short: `Use at least ${limits.passwordCharacters} characters.`,
    weak: 'Choose a stronger password: it must be rated Good or better.',
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
  codeHint: 'The 6-digit code that the app shows for Privity.',
  codeMissing: 'Enter the 6-digit code from your authenticator app.',
  recoveryCode: 'Backup code',
  recoveryCodeHint: 'One of the codes you saved. Each works once.',
  recoveryCodeMissing: 'Enter one of your backup codes.',
  passkey: 'Your browser will ask for your passkey: a security key, or the screen lock of this device.',
  elsewhere: 'Your passkeys belong to another address of this server and cannot be used here.',
  nothing: 'You have no way left to confirm your identity here. Contact your administrator.',
  use: {
    totp: 'Use the authenticator app',
    passkey: 'Use a passkey',
    recoveryCode: 'Use a backup code',
  },
  cancelled: 'No passkey was used. Try again or use another method.',
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
