/** Texts of the UI components. */
export const uiTexts = {
  close: 'Close',
  dismiss: 'Dismiss',
  cancel: 'Cancel',
  tryAgain: 'Try again',
  loading: 'Loading...',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  capsLock: 'Caps Lock is on.',
  notices: 'Notices',
  skip: 'Skip to content',
}
