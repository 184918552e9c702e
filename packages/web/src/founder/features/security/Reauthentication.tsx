import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { type FounderProof, founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { useStore } from '../../../ui/useStore.ts'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { founderClient, identityQuestion } from '../../console/client.ts'
import { consoleTexts } from '../../console/texts.ts'
import { ConfirmForm } from './ConfirmForm.tsx'
import { factorQuery } from './queries.ts'

/** Asks for the password and second factor if calls wait for reauthentication, which then continue. */
export function IdentityQuestion() {
  const isAsked = useStore(identityQuestion)
  const { data: factor } = useQuery(factorQuery)
  // Leaving the console cancels the confirmation.
  useEffect(() => () => identityQuestion.answer(false), [])
  if (!isAsked) return null
  const texts = consoleTexts.identity

  async function confirm({ password, ...proof }: { password: string } & FounderProof) {
    const body = { ...proof, password: await founderClient.deriveSecret(password) }
    await founderClient.call(founderSecondFactor.confirmSession, { body })
    identityQuestion.answer(true)
  }

  return (
    <Dialog open onOpenChange={(open) => open || identityQuestion.answer(false)} title={texts.title}>
      <ConfirmForm
        lead={texts.why}
        hasFactor={factor !== undefined && factor.since !== null}
        submitLabel={texts.confirm}
        onConfirm={confirm}
      />
    </Dialog>
  )
}
