import { LinkDialog } from '../../../app/invitation/LinkDialog.tsx'
import { organizationTexts } from '../texts.ts'

/** A new invitation's link, which nobody is told a second time. */
export function InvitationLink({ link, onClose }: { link: string | undefined; onClose: () => void }) {
  return <LinkDialog link={link} onClose={onClose} texts={organizationTexts.invitations} />
}
