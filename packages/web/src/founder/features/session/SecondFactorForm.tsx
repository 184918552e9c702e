import type { FormEvent } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { FounderSignIn } from '@privity/client/founder'
import type { FactorMethod } from '@privity/contract/secondFactor'
import { isCallError } from '../../../app/callError.ts'
import { ProofFields } from '../../../app/secondFactor/ProofFields.tsx'
import { useProofEntry } from '../../../app/secondFactor/useProofEntry.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { DeniedAlert } from './DeniedAlert.tsx'
import { reportFailure } from './reportFailure.ts'
import { sessionTexts as texts } from './texts.ts'

const methods: readonly FactorMethod[] = ['totp', 'recoveryCode']

interface SecondFactorFormProps {
  step: Extract<FounderSignIn, { status: 'secondFactor' }>
  onSignedIn: () => void
  /** Returns to the password, by choice or because the step has expired. */
  onBack: () => void
}

/** Second step of signing in, after the correct password. */
export function SecondFactorForm({ step, onSignedIn, onBack }: SecondFactorFormProps) {
  const entry = useProofEntry(methods, () => finish.reset())
  const finish = useMutation({
    async mutationFn() {
      const { code, recoveryCode } = await entry.collect(() => Promise.reject(new Error()))
      return step.finish(code === undefined ? { recoveryCode } : { code })
    },
    onSuccess() {
      toast({ title: texts.granted, description: texts.grantedHint, stays: true })
      onSignedIn()
    },
    onError(error) {
      reportFailure(error)
      if (isCallError(error) && error.code === 'TICKET_INVALID') onBack()
      else entry.refuse(error)
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (entry.isReady() && !finish.isPending) finish.mutate()
  }

  return (
    <form className="auth-form" onSubmit={submit} noValidate>
      <div className="auth-head">
        <h1>{texts.factorTitle}</h1>
        <p className="muted">{texts.factorLead}</p>
      </div>
      <ProofFields entry={entry} elsewhere={false} autoFocus />
      {finish.isError && entry.error === undefined && <DeniedAlert error={finish.error} />}
      <Button type="submit" variant="primary" size="lg" block busy={finish.isPending}>
        {finish.isPending ? texts.busy : texts.submit}
      </Button>
      <p className="swap">
        <button type="button" className="linkbtn" onClick={onBack}>
          {texts.back}
        </button>
      </p>
    </form>
  )
}
