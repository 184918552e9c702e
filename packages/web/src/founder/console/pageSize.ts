/** Rows per page of a list, few enough to keep all eleven sections of the console within reach. */
export const listRows = 10
