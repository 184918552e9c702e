import { type ReactNode, useId } from 'react'
import { CircleAlert } from 'lucide-react'
import { classes } from './classes.ts'
import '../styles/field.css'

/** What a control inside a Field takes over, so that label, hint and error belong to it. */
interface FieldControl {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

interface FieldProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
  className?: string
  children: (control: FieldControl) => ReactNode
}

/** A label above, the control, and beneath it either the error or the hint. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId()
  const noteId = `${id}-note`
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
        <p className="error" id={noteId}>
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
