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

/**
 * A password being chosen. How long it must be is said before, and goes when it is met; its strength takes the hint's
 * place as soon as something is typed.
 */
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
