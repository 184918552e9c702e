import { useEffect, useRef } from 'react'
import { InputField } from '../../ui/field/Field.tsx'
import { proofTexts as texts } from '../texts.ts'
import type { ProofEntry } from './useProofEntry.ts'
import { LinkButton } from '../../ui/button/Button.tsx'
import './secondFactor.css'

interface ProofFieldsProps {
  entry: ProofEntry
  /** The user has passkeys, but none is registered for this address. */
  elsewhere: boolean
  /** Set if the field is the first of the form. */
  autoFocus?: boolean
}

/** Fields for a second factor, with buttons to use another method. */
export function ProofFields({ entry, elsewhere, autoFocus = false }: ProofFieldsProps) {
  const { method, methods, text, error, refusals, type } = entry
  const field = useRef<HTMLInputElement>(null)
  const others = methods.filter((other) => other !== method)

  useEffect(() => {
    if (refusals > 0) field.current?.focus()
  }, [refusals])

  return (
    <>
      {method === 'totp' && (
        <InputField
          key="totp"
          ref={field}
          label={texts.code}
          hint={texts.codeHint}
          error={error}
          className="otp"
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={7}
          autoFocus={autoFocus}
          value={text}
          onChange={(event) => type(event.target.value)}
        />
      )}
      {method === 'recoveryCode' && (
        <InputField
          key="recoveryCode"
          ref={field}
          label={texts.recoveryCode}
          hint={texts.recoveryCodeHint}
          error={error}
          mono
          maxLength={64}
          autoFocus={autoFocus}
          value={text}
          onChange={(event) => type(event.target.value)}
        />
      )}
      {method === 'passkey' && <p className="muted">{texts.passkey}</p>}
      {elsewhere && <p className="hint">{texts.elsewhere}</p>}
      {method === undefined && <p>{texts.nothing}</p>}
      {others.length > 0 && (
        <p className="other-ways">
          {others.map((other) => (
            <LinkButton key={other} onClick={() => entry.choose(other)}>
              {texts.use[other]}
            </LinkButton>
          ))}
        </p>
      )}
    </>
  )
}
