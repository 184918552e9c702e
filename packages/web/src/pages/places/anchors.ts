/** The heading of the signed-in browsers on /account-settings. */
export const sessionsAnchor = 'signed-in-browsers'
