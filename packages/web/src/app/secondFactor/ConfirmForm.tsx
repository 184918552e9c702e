import { type FormEvent, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client, Confirmation } from '@privity/client'
import { isCallError, messageFor } from '../callError.ts'
import { OwnFactorFields, useOwnFactor } from './ownFactor.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { FormError } from '../../ui/feedback/Errors.tsx'
import { PasswordField } from '../../ui/field/PasswordInput.tsx'
import { proofTexts as texts } from '../texts.ts'
import './secondFactor.css'

interface ConfirmFormProps {
  client: Client
  username: string
  submitLabel: string
  tone?: 'primary' | 'danger'
  act: (confirmation: Confirmation) => Promise<unknown>
}

/** Asks for the password and, if enabled, for the second factor. Keeps the input if it is refused. */
export function ConfirmForm({ client, username, submitLabel, tone = 'primary', act }: ConfirmFormProps) {
  const [password, setPassword] = useState('')
  const [isMissing, setMissing] = useState(false)
  const factor = useOwnFactor(client, () => confirm.reset())

  const confirm = useMutation({
    mutationFn: async () => act({ password, ...(await factor.collect()) }),
    onError: (error) => void factor.refuse(error),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (confirm.isPending) return
    setMissing(!password)
    const isReady = factor.entry.isReady()
    if (password && isReady) confirm.mutate()
  }

  const sentence = confirm.isError ? messageFor(confirm.error, texts.fallback) : undefined
  const isPasswordWrong = isCallError(confirm.error) && confirm.error.code === 'WRONG_PASSWORD'
  const passwordError = isMissing ? texts.passwordMissing : isPasswordWrong ? sentence : undefined
  return (
    <form className="factor-form" onSubmit={submit} noValidate>
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        data-first=""
        label={texts.password}
        error={passwordError}
        value={password}
        onChange={(event) => {
          setPassword(event.target.value)
          setMissing(false)
        }}
      />
      <OwnFactorFields factor={factor} />
      <FormError message={isPasswordWrong || factor.entry.error ? undefined : sentence} />
      <Button type="submit" variant={tone} block busy={confirm.isPending}>
        {confirm.isPending ? texts.checking : submitLabel}
      </Button>
    </form>
  )
}
