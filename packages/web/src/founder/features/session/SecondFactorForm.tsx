import { useMutation } from '@tanstack/react-query'
import type { FounderSignIn } from '@privity/client/founder'
import type { FactorMethod } from '@privity/contract/secondFactor'
import { isCallError } from '../../../app/callError.ts'
import { ProofFields } from '../../../app/secondFactor/ProofFields.tsx'
import { useProofEntry } from '../../../app/secondFactor/useProofEntry.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { LoginStep } from './LoginFrame.tsx'
import { SignInFailure, toastSignInFailure } from './SignInFailure.tsx'
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
      toastSignInFailure(error)
      if (isCallError(error) && error.code === 'TICKET_INVALID') onBack()
      else entry.refuse(error)
    },
  })
  return (
    <LoginStep
      title={texts.factorTitle}
      lead={texts.factorLead}
      submitLabel={texts.submit}
      busyLabel={texts.busy}
      busy={finish.isPending}
      onSubmit={() => entry.isReady() && !finish.isPending && finish.mutate()}
      exit={{ label: texts.back, onSelect: onBack }}
    >
      <ProofFields entry={entry} elsewhere={false} autoFocus />
      {finish.isError && entry.error === undefined && <SignInFailure error={finish.error} />}
    </LoginStep>
  )
}
