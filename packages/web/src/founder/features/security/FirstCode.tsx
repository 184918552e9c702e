import { type FormEvent } from 'react'
import { useMutation } from '@tanstack/react-query'
import { messageFor } from '../../../app/callError.ts'
import { ProofFields } from '../../../app/secondFactor/ProofFields.tsx'
import { useProofEntry } from '../../../app/secondFactor/useProofEntry.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { FormError } from '../../../ui/field/FormError.tsx'
import { QrCode } from '../../../ui/indicator/QrCode.tsx'
import { securityTexts } from './texts.ts'

const grouped = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret

/** Shows the secret as a QR code and as text, and asks for a code that proves that the app has it. */
export function FirstCode(props: { secret: string; uri: string; onCode: (code: string) => Promise<unknown> }) {
  const { secret, uri, onCode } = props
  const texts = securityTexts.factor
  const entry = useProofEntry(['totp'], () => confirm.reset())
  const confirm = useMutation({
    mutationFn: () => onCode(entry.text.trim()),
    onError: (error) => entry.refuse(error),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (entry.isReady() && !confirm.isPending) confirm.mutate()
  }

  const isElsewhere = confirm.isError && entry.error === undefined
  return (
    <form className="factor-form" onSubmit={submit} noValidate>
      <p>{texts.scan}</p>
      <div className="factor-qr">
        <QrCode data={uri} name={texts.qr} />
        <div className="factor-form">
          <p className="muted">{texts.manual}</p>
          <p className="factor-key" role="group" aria-label={texts.key}>
            {grouped(secret)}
          </p>
        </div>
      </div>
      <ProofFields entry={entry} elsewhere={false} autoFocus />
      <FormError message={isElsewhere ? messageFor(confirm.error, securityTexts.fallback) : undefined} />
      <Button type="submit" variant="primary" block busy={confirm.isPending}>
        {confirm.isPending ? securityTexts.busy : texts.switchOn}
      </Button>
    </form>
  )
}
