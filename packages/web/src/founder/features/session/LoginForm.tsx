import { type FormEvent, useRef, useState } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { FounderSignIn } from '@privity/client/founder'
import { Button } from '../../../ui/button/Button.tsx'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { PasswordInput } from '../../../ui/field/PasswordInput.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { founderClient } from '../../console/client.ts'
import { DeniedAlert } from './DeniedAlert.tsx'
import { accessQuery } from './queries.ts'
import { reportFailure } from './reportFailure.ts'
import { sessionTexts as texts } from './texts.ts'

interface LoginFormProps {
  /** Gets the typed password. */
  onSignedIn: (password: string) => void
  onSecondFactor: (step: Extract<FounderSignIn, { status: 'secondFactor' }>) => void
}

/** The fixed username and the password; the correct one signs in or leads to the second factor. */
export function LoginForm({ onSignedIn, onSecondFactor }: LoginFormProps) {
  const access = useQuery(accessQuery)
  const [password, setPassword] = useState('')
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  const login = useMutation({
    mutationFn: () => founderClient.signIn(password),
    onSuccess(outcome) {
      if (outcome.status === 'secondFactor') return onSecondFactor(outcome)
      if (outcome.session.mustReplacePassword !== true)
        toast({ title: texts.granted, description: texts.grantedHint, stays: true })
      onSignedIn(password)
    },
    onError(error) {
      reportFailure(error)
      field.current?.select()
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setMissing(password === '')
    if (password === '') field.current?.focus()
    else if (!login.isPending) login.mutate()
  }

  if (access.isError)
    return <ErrorState message={texts.errorHint} busy={access.isFetching} onRetry={() => void access.refetch()} />
  return (
    <form className="auth-form" onSubmit={submit} noValidate>
      <div className="auth-head">
        <h1>{texts.title}</h1>
        <p className="muted">{texts.lead}</p>
      </div>
      <Field label={texts.username}>
        {(control) => (
          <Input {...control} name="username" autoComplete="username" readOnly value={access.data?.username ?? ''} />
        )}
      </Field>
      <Field label={texts.password} error={isMissing ? texts.passwordMissing : undefined}>
        {(control) => (
          <PasswordInput
            {...control}
            ref={field}
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => {
              setPassword(event.target.value)
              setMissing(false)
              if (login.isError) login.reset()
            }}
          />
        )}
      </Field>
      {login.isError && <DeniedAlert error={login.error} />}
      <Button type="submit" variant="primary" size="lg" block busy={login.isPending}>
        {login.isPending ? texts.busy : texts.submit}
      </Button>
    </form>
  )
}
