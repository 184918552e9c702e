import { LinkDialog } from '../../../app/invitation/LinkDialog.tsx'
import { organizationTexts } from '../texts.ts'

/** Shows a new invitation's link, which is not shown again. */
export function InvitationLink({ link, onClose }: { link: string | undefined; onClose: () => void }) {
  return <LinkDialog link={link} onClose={onClose} texts={organizationTexts.invitations} />
}
