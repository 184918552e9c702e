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

export const tableTexts = {
  sortBy: 'Sort by',
  ascending: (column: string) => `${column}, ascending`,
  descending: (column: string) => `${column}, descending`,
  pages: 'Pages',
  page: (page: number) => `Page ${page}`,
  previous: 'Previous',
  next: 'Next',
}
