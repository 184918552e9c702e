import type { FormEvent } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { SecondFactorStep } from '@privity/client'
import { isCallError, messageFor } from '../../app/callError.ts'
import { ProofFields } from '../../app/secondFactor/ProofFields.tsx'
import { useProofEntry } from '../../app/secondFactor/useProofEntry.ts'
import { Button, LinkButton } from '../../ui/button/Button.tsx'
import { FormError } from '../../ui/feedback/Errors.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { AuthHead } from './AuthShell.tsx'
import { authTexts } from './texts.ts'

interface SecondFactorFormProps {
  step: SecondFactorStep
  /** Texts that replace those of sign-in; `expired` if something other than the password must be entered again. */
  words?: { lead: string; done: string; failed: string; expired: string }
  onBack: () => void
  /** The sign-in must start again; `sentence` is the reason. */
  onExpired: (sentence: string) => void
}

/** Second step of signing in, after the correct password or recovery key. */
export function SecondFactorForm({ step, words, onBack, onExpired }: SecondFactorFormProps) {
  const texts = authTexts.secondFactor
  const entry = useProofEntry(step.methods, () => finish.reset())

  const finish = useMutation({
    mutationFn: async () => step.finish(await entry.collect(step.passkeyRequest)),
    onSuccess: (user) =>
      toast({
        title: words?.done ?? authTexts.signIn.done,
        description: authTexts.welcomeBack(user.username),
        stays: true,
      }),
    onError(error) {
      const isExpired = isCallError(error) && error.code === 'TICKET_INVALID'
      const sentence = (isExpired && words?.expired) || messageFor(error, authTexts.signIn.fallback)
      if (isExpired) onExpired(sentence)
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
      <AuthHead title={texts.title}>{words?.lead ?? texts.lead}</AuthHead>
      <ProofFields entry={entry} elsewhere={step.passkeysElsewhere} autoFocus />
      <FormError
        title={words?.failed ?? authTexts.signIn.failed}
        message={isElsewhere ? messageFor(finish.error, authTexts.signIn.fallback) : undefined}
      />
      {entry.method !== undefined && (
        <Button type="submit" variant="primary" block busy={finish.isPending}>
          {finish.isPending ? authTexts.signIn.busy : texts.submit[entry.method]}
        </Button>
      )}
      <p className="swap">
        <LinkButton onClick={onBack}>{texts.back}</LinkButton>
      </p>
    </form>
  )
}
