import { type FormEvent, type ReactNode, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { FounderProof } from '@privity/contract/founder/secondFactor'
import type { FactorMethod } from '@privity/contract/secondFactor'
import { messageFor } from '../../../app/callError.ts'
import { ProofFields } from '../../../app/secondFactor/ProofFields.tsx'
import { useProofEntry } from '../../../app/secondFactor/useProofEntry.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { FormError } from '../../../ui/feedback/Errors.tsx'
import { PasswordField } from '../../../ui/field/PasswordInput.tsx'
import { securityTexts as texts } from './texts.ts'
import '../../../app/secondFactor/secondFactor.css'

interface ConfirmFormProps {
  lead: string
  label?: string
  /** Whether the founder has a second factor, which is then asked for too. */
  hasFactor: boolean
  submitLabel: string
  danger?: boolean
  /** Further fields; `check` returns whether they are valid. */
  children?: ReactNode
  check?: () => boolean
  /** The message for an error, if it differs from the usual one. */
  failureMessage?: (error: unknown) => string | undefined
  /** `password` is the typed password, not derived. */
  onConfirm: (proof: { password: string } & FounderProof) => Promise<unknown>
}

const both: readonly FactorMethod[] = ['totp', 'recoveryCode']

/** Asks for the password and, if enabled, the second factor before an action. */
export function ConfirmForm(props: ConfirmFormProps) {
  const {
    lead,
    label = texts.password,
    hasFactor,
    submitLabel,
    danger,
    children,
    check,
    failureMessage,
    onConfirm,
  } = props
  const [password, setPassword] = useState('')
  const [isMissing, setMissing] = useState(false)
  const entry = useProofEntry(hasFactor ? both : [], () => confirm.reset())

  const confirm = useMutation({
    mutationFn: async () => {
      const { code, recoveryCode } = hasFactor ? await entry.collect(() => Promise.reject(new Error())) : {}
      return onConfirm({
        password,
        ...(code !== undefined && { code }),
        ...(recoveryCode !== undefined && { recoveryCode }),
      })
    },
    onError: (error) => entry.refuse(error),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setMissing(password === '')
    const isReady = [password !== '', !hasFactor || entry.isReady(), check === undefined || check()].every(Boolean)
    if (isReady && !confirm.isPending) confirm.mutate()
  }

  const hasOtherError = confirm.isError && entry.error === undefined
  const failure = hasOtherError
    ? (failureMessage?.(confirm.error) ?? messageFor(confirm.error, texts.fallback))
    : undefined
  return (
    <form className="factor-form" onSubmit={submit} noValidate>
      <p>{lead}</p>
      <PasswordField
        label={label}
        error={isMissing ? texts.passwordMissing : undefined}
        autoFocus
        value={password}
        onChange={(event) => {
          setPassword(event.target.value)
          setMissing(false)
          if (confirm.isError) confirm.reset()
        }}
      />
      {children}
      {hasFactor && <ProofFields entry={entry} elsewhere={false} />}
      <FormError message={failure} />
      <Button type="submit" variant={danger ? 'danger' : 'primary'} block busy={confirm.isPending}>
        {confirm.isPending ? texts.busy : submitLabel}
      </Button>
    </form>
  )
}
