import { useState } from 'react'
import { UserPlus } from 'lucide-react'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { Button } from '../../../ui/button/Button.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { organizationTexts } from '../texts.ts'
import { InvitationLink, NewInvitation } from './NewInvitation.tsx'

/** Opens the form of a new invitation in a dialog, and then shows the link. */
export function InviteButton({ client, me }: { client: Client; me: User }) {
  const texts = organizationTexts.invitations
  const [isOpen, setOpen] = useState(false)
  const [link, setLink] = useState<string>()
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <UserPlus className="ic" />
        {texts.invite}
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title={texts.inviteTitle} description={texts.lead}>
        <NewInvitation
          client={client}
          me={me}
          onMade={(made) => {
            setOpen(false)
            setLink(made)
          }}
        />
      </Dialog>
      <InvitationLink link={link} onClose={() => setLink(undefined)} />
    </>
  )
}
