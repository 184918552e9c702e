/** Spread on an element whose text is one's own to copy, such as a connection code: deterrents leave it alone. */
export const ownText = { 'data-own-text': true } as const
