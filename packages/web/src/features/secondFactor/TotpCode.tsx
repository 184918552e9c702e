import { type FormEvent, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client, SecondFactorChange } from '@privity/client'
import { isCallError, messageFor } from '../../app/callError.ts'
import { proofTexts } from '../../app/texts.ts'
import { Button } from '../../ui/button/Button.tsx'
import { FormError } from '../../ui/feedback/Errors.tsx'
import { QrCode } from '../../ui/indicator/QrCode.tsx'
import { secondFactorTexts } from './texts.ts'
import { useCopy } from '../../app/useCopy.tsx'
import { InputField } from '../../ui/field/Field.tsx'
import { copyableText } from '../../browser/clipboard.ts'

interface TotpCodeProps {
  client: Client
  secret: string
  uri: string
  submitLabel: string
  onDone: (change: SecondFactorChange) => void
}

const grouped = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret

/** Shows the secret as a QR code and as text, and asks for a code that proves that the app has it. */
export function TotpCode({ client, secret, uri, submitLabel, onDone }: TotpCodeProps) {
  const texts = secondFactorTexts.setUpApp
  const { copied, copyFailed } = secondFactorTexts.saveCodes
  const { copy } = useCopy({ copied, copyFailed })
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()

  const confirm = useMutation({
    mutationFn: () => client.secondFactor.confirmTotp(code.trim()),
    onSuccess: onDone,
    onError(failure) {
      if (isCallError(failure) && failure.code === 'SECOND_FACTOR_WRONG') setError(messageFor(failure, ''))
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (confirm.isPending) return
    const isComplete = /^\d{3} ?\d{3}$/.test(code.trim())
    setError(isComplete ? undefined : proofTexts.codeMissing)
    if (isComplete) confirm.mutate()
  }

  const sentence = confirm.isError && !error ? messageFor(confirm.error, secondFactorTexts.fallback) : undefined
  return (
    <form className="factor-form" onSubmit={submit} noValidate>
      <p>{texts.scan}</p>
      <div className="factor-qr">
        <QrCode data={uri} name={texts.qr} />
        <div className="factor-form">
          <p className="muted">{texts.manual}</p>
          <p className="factor-key" role="group" aria-label={texts.key} {...copyableText}>
            {grouped(secret)}
          </p>
          <Button size="sm" onClick={() => void copy(secret)}>
            {texts.copyKey}
          </Button>
        </div>
      </div>
      <InputField
        label={proofTexts.code}
        hint={proofTexts.codeHint}
        error={error}
        className="otp"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={7}
        autoFocus
        value={code}
        onChange={(event) => {
          setCode(event.target.value)
          setError(undefined)
        }}
      />
      <FormError message={sentence} />
      <Button type="submit" variant="primary" block busy={confirm.isPending}>
        {confirm.isPending ? proofTexts.checking : submitLabel}
      </Button>
    </form>
  )
}
