import type { ComponentProps } from 'react'
import { classes } from '../classes.ts'
import { Field, type LabelProps } from './Field.tsx'
import './field.css'

/** `mono` is for codes: monospaced, displayed in capitals, without correction. Search fields have no autocompletion. */
export function Input({ mono, className, ...rest }: ComponentProps<'input'> & { mono?: boolean }) {
  const codeEntry = mono && { autoCapitalize: 'characters', autoCorrect: 'off', autoComplete: 'off', spellCheck: false }
  const search = rest.type === 'search' && { autoComplete: 'off' }
  return <input className={classes('input', mono && 'input-mono', className)} {...codeEntry} {...search} {...rest} />
}

/** An input with its label, hint and error. */
export function InputField({ label, hint, error, ...input }: ComponentProps<typeof Input> & LabelProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Input {...input} {...control} />}
    </Field>
  )
}
