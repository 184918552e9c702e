import { limits } from '@privity/contract/limits'

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
