export const coreTexts = {
  loading: 'Loading...',
  crashed: 'This screen could not be shown',
  crashedWhy: 'Reload the page. What you have sent is not affected.',
  reload: 'Reload',
  unauthorized: 'Unauthorized',
  loggedOut: 'You are logged out. Logging in again...',
  sessionEnded: 'You are signed out',
  sessionEndedHere: 'This session was ended. Sign in again to go on.',
}
