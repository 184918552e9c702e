/** What tells deleted users apart where their names are gone: the end of the id, for its beginning is a time. */
export const deletedUserNumber = (id: string): string => id.slice(-6)
