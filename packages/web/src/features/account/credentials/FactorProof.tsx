import type { FormEvent } from 'react'
import { OwnFactorFields } from '../../../app/secondFactor/OwnFactorFields.tsx'
import type { OwnFactor } from '../../../app/secondFactor/useOwnFactor.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { accountTexts } from '../texts.ts'
import '../account.css'

interface FactorProofProps {
  factor: OwnFactor
  busy: boolean
  /** Label of the submit button. */
  submit: string
  onSubmit: () => void
}

/** Asks for the second factor only, as the last step. */
export function FactorProof({ factor, busy, submit: label, onSubmit }: FactorProofProps) {
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!busy && factor.entry.isReady()) onSubmit()
  }

  return (
    <form className="acc-form" onSubmit={submit} noValidate>
      <OwnFactorFields factor={factor} autoFocus />
      <Button type="submit" variant="primary" block busy={busy}>
        {busy ? accountTexts.confirming : label}
      </Button>
    </form>
  )
}
