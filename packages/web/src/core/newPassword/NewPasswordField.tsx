import type { ComponentProps } from 'react'
import { Field } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import type { Strength } from './strength.ts'
import { StrengthMeter } from './StrengthMeter.tsx'

interface NewPasswordFieldProps extends ComponentProps<typeof PasswordInput> {
  label: string
  hint?: string
  error: string | undefined
  strength: Strength | undefined
}

/** A password being chosen: its strength takes the hint's place as soon as something is typed. */
export function NewPasswordField({ label, hint, error, strength, ...input }: NewPasswordFieldProps) {
  return (
    <Field label={label} error={error} hint={strength ? undefined : hint}>
      {(control) => (
        <>
          <PasswordInput autoComplete="new-password" {...input} {...control} />
          {strength && <StrengthMeter strength={strength} refused={Boolean(error)} />}
        </>
      )}
    </Field>
  )
}
