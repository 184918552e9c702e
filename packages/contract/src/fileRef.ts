/** The one form of ids: UUIDs of versions 1 to 8 in lower case, so that no id has a second spelling. */
export const idSource = '[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'
export const idPattern = new RegExp(`^${idSource}$`)

/** The path of a file in messages and requests, which is also the address of its ciphertext. */
export const filePathOf = (fileId: string): string => `/objects/${fileId}`

const fileReference = new RegExp(`^/*(?:objects/)?(${idSource})$`)

/** Reads the id from a file's path, with or without leading slashes, or from the bare id; undefined for other text. */
export const fileIdOf = (reference: string): string | undefined => fileReference.exec(reference)?.[1]
