import { RadioGroup } from 'radix-ui'
import './segmented.css'

interface SegmentedProps<Value extends string> {
  /** What a screen reader calls it; the words beside it. */
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
  /** Id of the element that says more. */
  describedBy?: string
}

/** One of a few, side by side; the arrow keys move the choice. */
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
