import type { ComponentProps } from 'react'
import { Field } from '../../ui/field/Field.tsx'
import { PasswordInput } from '../../ui/field/PasswordInput.tsx'
import type { Strength } from './strength.ts'
import { newPasswordTexts, newPasswordTexts as texts } from '../texts.ts'
import './strength.css'

interface NewPasswordFieldProps extends ComponentProps<typeof PasswordInput> {
  label: string
  hint?: string
  error: string | undefined
  strength: Strength | undefined
}

/** Field for a new password. The hint states the minimum length; once something is typed, the strength replaces it. */
export function NewPasswordField({ label, hint, error, strength, ...input }: NewPasswordFieldProps) {
  const { short } = newPasswordTexts.errors
  const shown = error === short && strength?.longEnough ? undefined : error
  return (
    <Field label={label} error={shown} hint={strength ? undefined : [short, hint].filter(Boolean).join(' ')}>
      {(control) => (
        <>
          <PasswordInput autoComplete="new-password" {...input} {...control} />
          {strength && <StrengthMeter strength={strength} refused={Boolean(shown)} />}
        </>
      )}
    </Field>
  )
}

interface StrengthMeterProps {
  strength: Strength
  /** The field already shows an error that the password is too short. */
  refused: boolean
}

/** Shows the strength in five steps with a label and advice. */
function StrengthMeter({ strength, refused }: StrengthMeterProps) {
  const { score, longEnough, advice } = strength
  const shown = longEnough ? score : Math.min(score, 1)
  return (
    <div className={`strength strength-${shown}`}>
      <span className="strength-bar" aria-hidden="true">
        {texts.words.map((word, step) => (
          <i key={word} className={step <= shown ? 'on' : undefined} />
        ))}
      </span>
      <span role="status">
        <span className="sr">{texts.strength}: </span>
        <b>{texts.words[shown]}</b>
      </span>
      {(longEnough || !refused) && <p>{longEnough ? advice : texts.tooShort}</p>}
    </div>
  )
}
