import { useEffect } from 'react'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { ConfirmForm } from '../../app/secondFactor/ConfirmForm.tsx'
import { useStore } from '../../ui/useStore.ts'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { identityQuestion } from './reauthentication.ts'
import { organizationTexts } from './texts.ts'

/** Asks for password and second factor where something waits for them; what waits then goes on by itself. */
export function IdentityQuestion({ client, me }: { client: Client; me: User }) {
  const isAsked = useStore(identityQuestion)
  // Who leaves the page has not confirmed.
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
