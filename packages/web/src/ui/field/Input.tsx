import type { ComponentProps } from 'react'
import { classes } from '../classes.ts'
import './field.css'

/** `mono` is for codes: monospaced, shown in upper case, never corrected. No browser offers what was searched for. */
export function Input({ mono, className, ...rest }: ComponentProps<'input'> & { mono?: boolean }) {
  const codeEntry = mono && { autoCapitalize: 'characters', autoCorrect: 'off', autoComplete: 'off', spellCheck: false }
  const search = rest.type === 'search' && { autoComplete: 'off' }
  return <input className={classes('input', mono && 'input-mono', className)} {...codeEntry} {...search} {...rest} />
}
