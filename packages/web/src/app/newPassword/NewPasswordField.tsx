import type { ComponentProps } from 'react'
import { Field } from '../../ui/field/Field.tsx'
import { PasswordInput } from '../../ui/field/PasswordInput.tsx'
import type { Strength } from './strength.ts'
import { StrengthMeter } from './StrengthMeter.tsx'
import { newPasswordTexts } from './texts.ts'

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
