import { authTexts } from '../features/auth/texts.ts'

/** Content of the toast for a signed-in member who opens an invitation link: it needs a new account. */
export function invitationUnused() {
  const { signedIn, signedInWhy } = authTexts.invitation
  return { title: signedIn, description: signedInWhy, tone: 'warning' } as const
}
