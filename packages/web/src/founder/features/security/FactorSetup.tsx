import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { AppSetup } from '../../../app/secondFactor/AppSetup.tsx'
import { RecoveryCodes } from '../../../app/secondFactor/RecoveryCodes.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { founderClient } from '../../console/client.ts'
import { ConfirmForm } from './ConfirmForm.tsx'
import { factorQuery } from './queries.ts'
import { securityTexts } from './texts.ts'

const texts = securityTexts.factor

type Step =
  | { kind: 'confirm' }
  | { kind: 'scan'; secret: string; uri: string; setup: string }
  | { kind: 'codes'; codes: string[] }

/** One dialog for all steps: password, QR code with the first code, recovery codes. */
export function FactorSetup({ isOn, onClose }: { isOn: boolean; onClose: () => void }) {
  const client = useQueryClient()
  const [step, setStep] = useState<Step>({ kind: 'confirm' })
  // The state when the dialog opened: by the last step, the factor is already enabled.
  const [wasOn] = useState(isOn)

  async function start({ password, ...proof }: { password: string }) {
    const body = { password: await founderClient.deriveSecret(password), ...proof }
    setStep({ kind: 'scan', ...(await founderClient.call(founderSecondFactor.start, { body })) })
  }

  async function confirm(setup: string, code: string) {
    const { state, recoveryCodes } = await founderClient
      .call(founderSecondFactor.confirm, { body: { setup, code } })
      .catch((error: unknown) => {
        // The response may be lost although the factor was enabled: reload its state.
        void client.invalidateQueries({ queryKey: factorQuery.queryKey })
        throw error
      })
    client.setQueryData(factorQuery.queryKey, state)
    toast({ title: texts.isOn })
    setStep({ kind: 'codes', codes: recoveryCodes })
  }

  const title = wasOn ? texts.replaceTitle : texts.setUpTitle
  return (
    <Dialog
      open
      // Codes are shown once, so only the button in the dialog closes it.
      onOpenChange={step.kind === 'codes' ? undefined : (open) => open || onClose()}
      title={step.kind === 'codes' ? texts.saveCodes.title : title}
    >
      {step.kind === 'confirm' && (
        <ConfirmForm
          lead={wasOn ? texts.replaceWhy : texts.setUpWhy}
          hasFactor={wasOn}
          submitLabel={texts.proceed}
          onConfirm={start}
        />
      )}
      {step.kind === 'scan' && (
        <AppSetup
          secret={step.secret}
          uri={step.uri}
          texts={texts}
          fallback={securityTexts.fallback}
          submitLabel={texts.switchOn}
          busyLabel={securityTexts.busy}
          onCode={(code) => confirm(step.setup, code)}
        />
      )}
      {step.kind === 'codes' && (
        <RecoveryCodes
          codes={step.codes}
          file={{ name: texts.fileName, text: texts.file(step.codes) }}
          texts={texts.saveCodes}
          onDone={onClose}
        />
      )}
    </Dialog>
  )
}
