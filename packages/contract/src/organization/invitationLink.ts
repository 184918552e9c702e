/**
 * Where an invitation leads. The token stands behind the #, which browsers send to nobody: an address is written into
 * the logs of every proxy on the way.
 */
export const invitationLink = (origin: string, token: string): string => `${origin}/auth#invitation=${token}`
