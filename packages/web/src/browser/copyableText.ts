/** Marks an element whose text the user may copy, such as a connection code, so that the deterrents ignore it. */
export const copyableText = { 'data-own-text': true } as const
