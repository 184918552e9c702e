import { type FormEvent, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { limits } from '@privity/contract/limits'
import { messageFor } from '../../../app/callError.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Field } from '../../../ui/field/Field.tsx'
import { FormError } from '../../../ui/field/FormError.tsx'
import { PasswordInput } from '../../../ui/field/PasswordInput.tsx'
import { founderClient } from '../../console/client.ts'
import { firstPasswordFaults, type Passwords } from './firstPasswordFaults.ts'
import { isUnreached } from './reportFailure.ts'
import { sessionTexts } from './texts.ts'

const texts = sessionTexts.first
const untyped: Passwords = { current: '', next: '', again: '' }

interface FirstPasswordFormProps {
  /** The password just used to sign in; undefined after a reload, so that the form asks for it. */
  signedInWith: string | undefined
  onReplaced: () => void
  onSignedOut: () => void
}

/** Shown instead of the console until the initial password is replaced; signing out is the only alternative. */
export function FirstPasswordForm({ signedInWith, onReplaced, onSignedOut }: FirstPasswordFormProps) {
  const [typed, setTyped] = useState(untyped)
  const [isChecked, setChecked] = useState(false)
  const passwords = { ...typed, current: signedInWith ?? typed.current }
  const faults = firstPasswordFaults(passwords)
  const shown = isChecked ? faults : {}

  const replace = useMutation({
    mutationFn: () => founderClient.changePassword({ password: passwords.current, newPassword: passwords.next }),
    onSuccess: onReplaced,
  })
  const leave = useMutation({ mutationFn: () => founderClient.signOut(), onSuccess: onSignedOut })

  function submit(event: FormEvent) {
    event.preventDefault()
    setChecked(true)
    if (Object.keys(faults).length === 0 && !replace.isPending) replace.mutate()
  }

  const type = (name: keyof Passwords) => (event: { target: { value: string } }) => {
    setTyped({ ...typed, [name]: event.target.value })
    if (replace.isError) replace.reset()
  }

  const failed = replace.error ?? leave.error
  const failure = failed && (isUnreached(failed) ? texts.unreached : messageFor(failed, texts.fallback))
  return (
    <form className="auth-form" onSubmit={submit} noValidate>
      <div className="auth-head">
        <h1>{texts.title}</h1>
        <p className="muted">{texts.lead}</p>
      </div>
      {signedInWith === undefined && (
        <Field label={texts.current} error={shown.current}>
          {(control) => (
            <PasswordInput
              {...control}
              autoComplete="current-password"
              value={typed.current}
              onChange={type('current')}
            />
          )}
        </Field>
      )}
      <Field
        label={texts.next}
        error={shown.next}
        hint={typed.next.length < limits.passwordCharacters ? texts.rule : undefined}
      >
        {(control) => (
          <PasswordInput
            {...control}
            autoComplete="new-password"
            autoFocus
            value={typed.next}
            onChange={type('next')}
          />
        )}
      </Field>
      <Field label={texts.again} error={shown.again}>
        {(control) => (
          <PasswordInput {...control} autoComplete="new-password" value={typed.again} onChange={type('again')} />
        )}
      </Field>
      <FormError message={failure ?? undefined} />
      <Button type="submit" variant="primary" size="lg" block busy={replace.isPending}>
        {replace.isPending ? texts.busy : texts.submit}
      </Button>
      <p className="swap">
        <button type="button" className="linkbtn" disabled={leave.isPending} onClick={() => leave.mutate()}>
          {texts.signOut}
        </button>
      </p>
    </form>
  )
}
