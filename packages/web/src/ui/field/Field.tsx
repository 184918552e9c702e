import { type ReactNode, useId, useMemo, type ComponentProps } from 'react'
import { CircleAlert } from 'lucide-react'
import { classes } from '../classes.ts'
import './field.css'

/** Attributes that connect a control with its label, hint and error. */
interface FieldControl {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

export interface LabelProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
}

interface FieldProps extends LabelProps {
  className?: string
  children: (control: FieldControl) => ReactNode
}

/** Whether an error needs role=alert: if the focus moves to the field, its description is read anyway. */
export const useIsAlert = (id: string, error: string | undefined): boolean =>
  useMemo(() => error !== undefined && document.activeElement?.id === id, [id, error])

/** A label above the control, and the error or hint below. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  const isAlert = useIsAlert(id, error)
  const control: FieldControl = {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error || hint ? noteId : undefined,
  }
  return (
    <div className={classes('field', className)}>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children(control)}
      {error ? (
        <p className="error" id={noteId} role={isAlert ? 'alert' : undefined}>
          <CircleAlert className="ic ic-sm" />
          {error}
        </p>
      ) : (
        hint && (
          <div className="hint" id={noteId}>
            {hint}
          </div>
        )
      )}
    </div>
  )
}

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
