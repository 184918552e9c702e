export const coreTexts = {
  loading: 'Loading...',
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
