/** How many rows a list of the console shows at once: there are eleven sections, and each stays in reach. */
export const listRows = 10
