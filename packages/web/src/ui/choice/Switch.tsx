import './switch.css'

interface SwitchProps {
  /** What a screen reader calls it; the words beside it. */
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  /** Id of the element that says more. */
  describedBy?: string
  /** For links that lead to it. */
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
