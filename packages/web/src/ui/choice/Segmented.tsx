import { RadioGroup } from 'radix-ui'
import './segmented.css'

interface SegmentedProps<Value extends string> {
  /** Accessible name; the visible label stands beside it. */
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
  /** Id of the describing element. */
  describedBy?: string
}

/** Choice among a few options in a row; arrow keys change it. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onChange,
  describedBy,
}: SegmentedProps<Value>) {
  return (
    <RadioGroup.Root
      className="seg"
      aria-label={label}
      aria-describedby={describedBy}
      orientation="horizontal"
      value={value}
      onValueChange={(chosen) => onChange(chosen as Value)}
    >
      {options.map((option) => (
        <RadioGroup.Item key={option.value} value={option.value}>
          {option.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
