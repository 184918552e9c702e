import type { ComponentProps, ReactNode } from 'react'
import { CircleAlert } from 'lucide-react'
import { Input } from '../../../ui/field/Field.tsx'
import { Switch } from '../../../ui/choice/Switch.tsx'

interface ChannelRowProps extends Pick<ComponentProps<'input'>, 'type' | 'autoComplete' | 'placeholder' | 'maxLength'> {
  id: string
  /** Label beside the switch. */
  label: string
  /** Accessible name of the field. */
  field: string
  enabled: boolean
  value: string
  hint: ReactNode
  error: string | undefined
  onEnabled: (enabled: boolean) => void
  onValue: (value: string) => void
}

/** A switch and the address of its channel, which is editable while the switch is on. */
export function ChannelRow(props: ChannelRowProps) {
  const { id, label, field, enabled, value, hint, error, onEnabled, onValue, ...rest } = props
  const noteId = `${id}-note`
  return (
    <div className="alert-channel">
      <Switch label={label} checked={enabled} onChange={onEnabled} />
      <span className="alert-name" aria-hidden="true">
        {label}
      </span>
      <Input
        {...rest}
        id={id}
        aria-label={field}
        disabled={!enabled}
        value={value}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={noteId}
        onChange={(event) => onValue(event.target.value)}
      />
      <div id={noteId} className="alert-note">
        {error !== undefined && (
          <p className="error" role="alert">
            <CircleAlert className="ic ic-sm" />
            {error}
          </p>
        )}
        <p className="hint">{hint}</p>
      </div>
    </div>
  )
}
