/**
 * The address of an invitation. The token is in the fragment, which browsers send to nobody: everything else in an
 * address may be logged by each proxy on the way.
 */
export const invitationLink = (origin: string, token: string): string => `${origin}/auth#invitation=${token}`
