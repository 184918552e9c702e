import { type ReactNode, useId, useMemo } from 'react'
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
