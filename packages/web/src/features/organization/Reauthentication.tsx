import { useEffect } from 'react'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { ConfirmForm } from '../../app/secondFactor/ConfirmForm.tsx'
import { useStore } from '../../ui/useStore.ts'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { organizationTexts } from './texts.ts'
import { createIdentityQuestion } from '../../app/reauthentication.ts'
import { whenMemberLeaves } from '../../app/session.ts'

/** Asks for the password and second factor if calls wait for reauthentication, which then continue. */
export function IdentityQuestion({ client, me }: { client: Client; me: User }) {
  const isAsked = useStore(identityQuestion)
  // Leaving the page cancels the confirmation.
  useEffect(() => () => identityQuestion.answer(false), [])
  if (!isAsked) return null
  const texts = organizationTexts.identity
  return (
    <Dialog
      open
      onOpenChange={(open) => open || identityQuestion.answer(false)}
      title={texts.title}
      description={texts.why}
    >
      <ConfirmForm
        client={client}
        username={me.username}
        submitLabel={texts.confirm}
        act={async (confirmation) => {
          await client.secondFactor.confirmSession(confirmation)
          identityQuestion.answer(true)
        }}
      />
    </Dialog>
  )
}

/** Reauthentication of administrators, required before changes to other people's access. */
export const { identityQuestion, withIdentity } = createIdentityQuestion(() => organizationTexts.identity.cancelled)

// When the member leaves, cancel: the next member must not confirm their call.
whenMemberLeaves(() => identityQuestion.answer(false))
