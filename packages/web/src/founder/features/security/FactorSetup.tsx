import { type FormEvent, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { messageFor } from '../../../app/callError.ts'
import { SecretActs } from '../../../app/secretText/SecretActs.tsx'
import { ProofFields } from '../../../app/secondFactor/ProofFields.tsx'
import { useProofEntry } from '../../../app/secondFactor/useProofEntry.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Checkbox } from '../../../ui/choice/Checkbox.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { FormError } from '../../../ui/feedback/Errors.tsx'
import { QrCode } from '../../../ui/indicator/QrCode.tsx'
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
      title={step.kind === 'codes' ? texts.codesTitle : title}
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
        <FirstCode secret={step.secret} uri={step.uri} onCode={(code) => confirm(step.setup, code)} />
      )}
      {step.kind === 'codes' && <RecoveryCodes codes={step.codes} onDone={onClose} />}
    </Dialog>
  )
}

const inGroupsOfFour = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret

interface FirstCodeProps {
  secret: string
  uri: string
  onCode: (code: string) => Promise<unknown>
}

/** Shows the secret as a QR code and as text, and asks for a code that proves that the app has it. */
function FirstCode({ secret, uri, onCode }: FirstCodeProps) {
  const entry = useProofEntry(['totp'], () => confirm.reset())
  const confirm = useMutation({
    mutationFn: () => onCode(entry.text.trim()),
    onError: (error) => entry.refuse(error),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (entry.isReady() && !confirm.isPending) confirm.mutate()
  }

  const hasOtherError = confirm.isError && entry.error === undefined
  return (
    <form className="factor-form" onSubmit={submit} noValidate>
      <p>{texts.scan}</p>
      <div className="factor-qr">
        <QrCode data={uri} name={texts.qr} />
        <div className="factor-form">
          <p className="muted">{texts.manual}</p>
          <p className="factor-key" role="group" aria-label={texts.key}>
            {inGroupsOfFour(secret)}
          </p>
        </div>
      </div>
      <ProofFields entry={entry} elsewhere={false} autoFocus />
      <FormError message={hasOtherError ? messageFor(confirm.error, securityTexts.fallback) : undefined} />
      <Button type="submit" variant="primary" block busy={confirm.isPending}>
        {confirm.isPending ? securityTexts.busy : texts.switchOn}
      </Button>
    </form>
  )
}

/** Shows the new recovery codes, once. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [isSaved, setSaved] = useState(false)

  return (
    <div className="factor-form">
      <p>{texts.codesLead}</p>
      <ul className="code-list" aria-label={texts.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <SecretActs secret={codes.join('\n')} file={{ name: texts.fileName, text: texts.file(codes) }} texts={texts} />
      <Checkbox label={texts.saved} checked={isSaved} onChange={(event) => setSaved(event.target.checked)} />
      <Button variant="primary" block disabled={!isSaved} onClick={onDone}>
        {texts.done}
      </Button>
    </div>
  )
}
