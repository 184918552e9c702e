/** Distinguishes deleted users, whose names are gone, by the end of their id; its beginning is a time. */
export const deletedUserNumber = (id: string): string => id.slice(-6)
