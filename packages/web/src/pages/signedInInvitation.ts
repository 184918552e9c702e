import { authTexts } from '../features/auth/texts.ts'

/** Toast for an existing account that opens an invitation link or signs in beside it: invitations are for new ones. */
export function invitationUnused() {
  const { signedIn, signedInWhy } = authTexts.invitation
  return { title: signedIn, description: signedInWhy, tone: 'warning' } as const
}
