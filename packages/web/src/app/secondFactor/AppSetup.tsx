import { type FormEvent } from 'react'
import { useMutation } from '@tanstack/react-query'
import { messageFor } from '../callError.ts'
import { copyableText } from '../../browser/clipboard.ts'
import { Button } from '../../ui/button/Button.tsx'
import { FormError } from '../../ui/feedback/Errors.tsx'
import { QrCode } from '../../ui/indicator/QrCode.tsx'
import { ProofFields } from './ProofFields.tsx'
import { useCopy } from '../useCopy.tsx'
import { useProofEntry } from './useProofEntry.ts'
import './secondFactor.css'

interface AppSetupProps {
  secret: string
  uri: string
  texts: Record<'scan' | 'qr' | 'manual' | 'key' | 'copyKey' | 'copied' | 'copyFailed', string>
  /** The message for an error that has none of its own. */
  fallback: string
  submitLabel: string
  busyLabel: string
  onCode: (code: string) => Promise<unknown>
}

const inGroupsOfFour = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret

/** Shows the secret as a QR code and as text, and asks for a code that proves that the app has it. */
export function AppSetup(props: AppSetupProps) {
  const { secret, uri, texts, fallback, submitLabel, busyLabel, onCode } = props
  const entry = useProofEntry(['totp'], () => confirm.reset())
  const { copy } = useCopy(texts)
  const confirm = useMutation({
    mutationFn: () => onCode(entry.text.trim()),
    onError: (error) => entry.refuse(error),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!confirm.isPending && entry.isReady()) confirm.mutate()
  }

  const hasOtherError = confirm.isError && entry.error === undefined
  return (
    <form className="factor-form" onSubmit={submit} noValidate>
      <p>{texts.scan}</p>
      <div className="factor-qr">
        <QrCode data={uri} name={texts.qr} />
        <div className="factor-form">
          <p className="muted">{texts.manual}</p>
          <p className="factor-key" role="group" aria-label={texts.key} {...copyableText}>
            {inGroupsOfFour(secret)}
          </p>
          <Button size="sm" onClick={() => void copy(secret)}>
            {texts.copyKey}
          </Button>
        </div>
      </div>
      <ProofFields entry={entry} elsewhere={false} autoFocus />
      <FormError message={hasOtherError ? messageFor(confirm.error, fallback) : undefined} />
      <Button type="submit" variant="primary" block busy={confirm.isPending}>
        {confirm.isPending ? busyLabel : submitLabel}
      </Button>
    </form>
  )
}
