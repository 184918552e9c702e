import { type ReactNode, useId, useMemo } from 'react'
import { CircleAlert } from 'lucide-react'
import { classes } from '../classes.ts'
import './field.css'

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

/**
 * Whether an error has to be read out by itself: where the focus moves to the field, its description is read anyway, and
 * nothing is said twice.
 */
export const useIsAlert = (id: string, error: string | undefined): boolean =>
  useMemo(() => error !== undefined && document.activeElement?.id === id, [id, error])

/** A label above, the control, and beneath it either the error or the hint. */
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
