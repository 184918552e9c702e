/** Prefix of an account's outbox items on this device. */
export const outboxPrefix = (userId: string) => `outbox/${userId}/`
/** Prefix of an account's drafts; the connection and the tab follow. */
export const draftPrefix = (userId: string) => `draft/${userId}/`

/** Holds a random value that is missing or different once the browser's storage was cleared. */
export const storeMarkName = 'store'

/** Hashes of the texts that the user has sent lately, to count repeated ones. */
export const duplicateTextsName = (userId: string) => `repetition/${userId}`

/** Prefix of the state that detects rollbacks of an account and of its contacts' keys. */
export const seenPrefix = (userId: string) => `seen/${userId}`
export const destroyedEpochsName = (userId: string) => `${seenPrefix(userId)}/destroyed`
/** The messages that this browser has shown, so that none of them is shown again. */
export const shownMessagesName = (userId: string) => `${seenPrefix(userId)}/shown`
/** The contacts about whom this browser does not ask any more. */
export const metContactsName = (userId: string) => `${seenPrefix(userId)}/met`
export const contactEpochsName = (userId: string) => `${seenPrefix(userId)}/epochs`
/** The browsers of the user that this browser has seen, and those that were removed. */
export const seenBrowsersName = (userId: string) => `${seenPrefix(userId)}/browsers`

/** This browser in the user's list of browsers. */
export const browserName = (userId: string) => `browser/${userId}`
