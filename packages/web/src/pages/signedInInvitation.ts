import { authTexts } from '../features/auth/texts.ts'

/** What is said to who opens an invitation link, or signs in beside it, with an account that there is already. */
export function invitationUnused() {
  const { signedIn, signedInWhy } = authTexts.invitation
  return { title: signedIn, description: signedInWhy, tone: 'warning' } as const
}
