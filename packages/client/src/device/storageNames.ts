/** What this device keeps, by name. */
export const outboxPrefix = (userId: string) => `outbox/${userId}/`
/** Continues with the connection and the tab. */
export const draftPrefix = (userId: string) => `draft/${userId}/`

/** Marks the store of this browser with a random value: it is another one, or missing, once the store was emptied. */
export const storeMarkName = 'store'

/** How often the user has said the same. */
export const repetitionName = (userId: string) => `repetition/${userId}`

/** Of all that this browser remembers having seen of an account and its contacts. */
export const seenPrefix = (userId: string) => `seen/${userId}`
export const destroyedEpochsName = (userId: string) => `${seenPrefix(userId)}/destroyed`
export const seenEpochsName = (userId: string) => `${seenPrefix(userId)}/epochs`
