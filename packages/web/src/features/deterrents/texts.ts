export const deterrentTexts = {
  /** Texts of the specification. Actions without a warning have none. */
  warnings: {
    screenshot: 'Screenshots are not permitted for security reasons',
    devTools: 'Developer tools access is restricted',
    print: 'Printing is not permitted for security reasons',
    rightClick: 'Right-click is disabled for security',
    console: 'Console access detected - activity is logged',
  },
  logged: 'This attempt has been logged.',
  printTitle: 'This page is not printed',
  printNotice: 'Printing is not permitted for security reasons. Open Privity in your browser to read it.',
}
