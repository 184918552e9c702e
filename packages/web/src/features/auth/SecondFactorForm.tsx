import type { FormEvent } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { SecondFactorStep } from '@privity/client'
import { isCallError, sentenceOf } from '../../core/callError.ts'
import { ProofFields } from '../../core/secondFactor/ProofFields.tsx'
import { useProofEntry } from '../../core/secondFactor/useProofEntry.ts'
import { Button } from '../../ui/Button.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { toast } from '../../ui/toastStore.ts'
import { AuthHead } from './AuthShell.tsx'
import { authTexts } from './texts.ts'

interface SecondFactorFormProps {
  step: SecondFactorStep
  onBack: () => void
  /** The password must be entered again; `sentence` says why. */
  onExpired: (sentence: string) => void
}

/** The second step of signing in, after a right password. */
export function SecondFactorForm({ step, onBack, onExpired }: SecondFactorFormProps) {
  const texts = authTexts.secondFactor
  const entry = useProofEntry(step.methods, () => finish.reset())

  const finish = useMutation({
    mutationFn: async () => step.finish(await entry.collect(step.passkeyRequest)),
    onSuccess: (user) => toast({ title: authTexts.signIn.done, description: authTexts.welcomeBack(user.username) }),
    onError(error) {
      const sentence = sentenceOf(error, authTexts.signIn.fallback)
      toast({ title: authTexts.signIn.failed, description: sentence, tone: 'destructive' })
      if (isCallError(error) && error.code === 'TICKET_INVALID') onExpired(sentence)
      else entry.refuse(error)
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!finish.isPending && entry.isReady()) finish.mutate()
  }

  const isElsewhere = finish.isError && entry.error === undefined
  return (
    <form className="auth-form" onSubmit={submit} noValidate>
      <AuthHead title={texts.title}>{texts.lead}</AuthHead>
      <ProofFields entry={entry} elsewhere={step.passkeysElsewhere} autoFocus />
      <FormError message={isElsewhere ? sentenceOf(finish.error, authTexts.signIn.fallback) : undefined} />
      {entry.method !== undefined && (
        <Button type="submit" variant="primary" block busy={finish.isPending}>
          {finish.isPending ? authTexts.signIn.busy : texts.submit[entry.method]}
        </Button>
      )}
      <p className="swap">
        <button type="button" className="linkbtn" onClick={onBack}>
          {texts.back}
        </button>
      </p>
    </form>
  )
}
