import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { limits } from '@privity/contract/limits'
import { messageFor } from '../../../app/callError.ts'
import { FormError } from '../../../ui/feedback/Errors.tsx'
import { PasswordField } from '../../../ui/field/PasswordInput.tsx'
import { founderClient } from '../../console/client.ts'
import { LoginStep } from './LoginFrame.tsx'
import { isUnreached } from './SignInFailure.tsx'
import { sessionTexts } from './texts.ts'

interface Passwords {
  current: string
  next: string
  again: string
}

const texts = sessionTexts.first
const noPasswords: Passwords = { current: '', next: '', again: '' }

/** A message for each invalid field. */
export function firstPasswordFaults({ current, next, again }: Passwords): Partial<Record<keyof Passwords, string>> {
  const isShort = Array.from(next).length < limits.passwordCharacters
  const isSame = current !== '' && next === current
  return {
    ...(current === '' && { current: sessionTexts.passwordMissing }),
    ...(isShort ? { next: texts.rule } : isSame && { next: texts.same }),
    ...(next !== again && { again: texts.differs }),
  }
}

interface FirstPasswordFormProps {
  /** The password just used to sign in; undefined after a reload, so that the form asks for it. */
  signedInWith: string | undefined
  onReplaced: () => void
  onSignedOut: () => void
}

/** Shown instead of the console until the initial password is replaced; signing out is the only alternative. */
export function FirstPasswordForm({ signedInWith, onReplaced, onSignedOut }: FirstPasswordFormProps) {
  const [typed, setTyped] = useState(noPasswords)
  const [isChecked, setChecked] = useState(false)
  const passwords = { ...typed, current: signedInWith ?? typed.current }
  const faults = firstPasswordFaults(passwords)
  const shown = isChecked ? faults : {}

  const replace = useMutation({
    mutationFn: () => founderClient.changePassword({ password: passwords.current, newPassword: passwords.next }),
    onSuccess: onReplaced,
  })
  const leave = useMutation({ mutationFn: () => founderClient.signOut(), onSuccess: onSignedOut })

  function submit() {
    setChecked(true)
    if (Object.keys(faults).length === 0 && !replace.isPending) replace.mutate()
  }

  const fieldOf = (name: keyof Passwords) => ({
    label: texts[name],
    error: shown[name],
    value: typed[name],
    onChange(event: { target: { value: string } }) {
      setTyped({ ...typed, [name]: event.target.value })
      if (replace.isError) replace.reset()
    },
  })

  const failed = replace.error ?? leave.error
  const failure = failed && (isUnreached(failed) ? texts.unreached : messageFor(failed, texts.fallback))
  return (
    <LoginStep
      title={texts.title}
      lead={texts.lead}
      submitLabel={texts.submit}
      busyLabel={texts.busy}
      busy={replace.isPending}
      onSubmit={submit}
      exit={{ label: texts.signOut, disabled: leave.isPending, onSelect: () => leave.mutate() }}
    >
      {signedInWith === undefined && <PasswordField {...fieldOf('current')} />}
      <PasswordField
        {...fieldOf('next')}
        hint={typed.next.length < limits.passwordCharacters ? texts.rule : undefined}
        autoComplete="new-password"
        autoFocus
      />
      <PasswordField {...fieldOf('again')} autoComplete="new-password" />
      <FormError message={failure ?? undefined} />
    </LoginStep>
  )
}
