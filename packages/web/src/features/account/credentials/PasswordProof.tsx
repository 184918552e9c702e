import { type FormEvent, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { messageFor } from '../../../app/callError.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Field } from '../../../ui/field/Field.tsx'
import { PasswordInput } from '../../../ui/field/PasswordInput.tsx'
import { accountTexts } from '../texts.ts'
import '../account.css'

interface PasswordProofProps {
  username: string
  submit: string
  busy: string
  prove: (password: string) => Promise<void>
}

/** Asks for the password before an action that a session alone does not authorize. */
export function PasswordProof({ username, submit, busy, prove }: PasswordProofProps) {
  const [password, setPassword] = useState('')
  const proof = useMutation({ mutationFn: prove })

  function send(event: FormEvent) {
    event.preventDefault()
    if (password && !proof.isPending) proof.mutate(password)
  }

  return (
    <form className="acc-form" onSubmit={send} noValidate>
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <Field
        label={accountTexts.recovery.password}
        error={proof.isError ? messageFor(proof.error, accountTexts.fallback) : undefined}
      >
        {(control) => (
          <PasswordInput
            autoComplete="current-password"
            data-first=""
            value={password}
            onChange={(event) => {
              setPassword(event.target.value)
              proof.reset()
            }}
            {...control}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" block disabled={!password} busy={proof.isPending}>
        {proof.isPending ? busy : submit}
      </Button>
    </form>
  )
}
