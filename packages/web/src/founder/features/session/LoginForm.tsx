import { useRef, useState } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { FounderSignIn } from '@privity/client/founder'
import { founderSessions } from '@privity/contract/founder/session'
import { ErrorState } from '../../../ui/feedback/Errors.tsx'
import { InputField } from '../../../ui/field/Field.tsx'
import { PasswordField } from '../../../ui/field/PasswordInput.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { founderClient } from '../../console/client.ts'
import { callQuery } from '../../console/queries.ts'
import { LoginStep } from './LoginFrame.tsx'
import { SignInFailure, toastSignInFailure } from './SignInFailure.tsx'
import { sessionTexts as texts } from './texts.ts'

const accessQuery = callQuery(founderSessions.access, {})

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
    onSuccess(result) {
      if (result.status === 'secondFactor') return onSecondFactor(result)
      if (result.session.mustReplacePassword !== true)
        toast({ title: texts.granted, description: texts.grantedHint, stays: true })
      onSignedIn(password)
    },
    onError(error) {
      toastSignInFailure(error)
      field.current?.select()
    },
  })

  function submit() {
    setMissing(password === '')
    if (password === '') field.current?.focus()
    else if (!login.isPending) login.mutate()
  }

  if (access.isError)
    return <ErrorState message={texts.errorHint} busy={access.isFetching} onRetry={() => void access.refetch()} />
  return (
    <LoginStep
      title={texts.title}
      lead={texts.lead}
      submitLabel={texts.submit}
      busyLabel={texts.busy}
      busy={login.isPending}
      onSubmit={submit}
    >
      <InputField
        label={texts.username}
        name="username"
        autoComplete="username"
        readOnly
        value={access.data?.username ?? ''}
      />
      <PasswordField
        label={texts.password}
        error={isMissing ? texts.passwordMissing : undefined}
        ref={field}
        name="password"
        value={password}
        onChange={(event) => {
          setPassword(event.target.value)
          setMissing(false)
          if (login.isError) login.reset()
        }}
      />
      {login.isError && <SignInFailure error={login.error} />}
    </LoginStep>
  )
}
