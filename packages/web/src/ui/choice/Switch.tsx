import './switch.css'

interface SwitchProps {
  /** Accessible name; the visible label stands beside it. */
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  /** Id of the describing element. */
  describedBy?: string
  /** Anchor for links to the switch. */
  id?: string
}

export function Switch({ label, checked, onChange, disabled = false, describedBy, id }: SwitchProps) {
  return (
    <span className="switch">
      <input
        type="checkbox"
        role="switch"
        id={id}
        aria-label={label}
        aria-describedby={describedBy}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <i />
    </span>
  )
}
