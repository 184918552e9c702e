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
