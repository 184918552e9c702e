/** Anchor of the list of sessions on /account-settings. */
export const sessionsAnchor = 'signed-in-browsers'
