import type { ComponentProps } from 'react'
import { ChevronDown } from 'lucide-react'
import { Field } from '../field/Field.tsx'
import './select.css'

interface SelectProps<Value extends string> extends Pick<
  ComponentProps<'select'>,
  'id' | 'disabled' | 'aria-describedby' | 'aria-invalid'
> {
  /** Accessible name; the visible label stands beside or above it. */
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** Choice among a few options with the browser's native select. */
export function Select<Value extends string>({ label, value, options, onChange, ...rest }: SelectProps<Value>) {
  return (
    <span className="select">
      <select
        aria-label={label}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value)
          if (chosen) onChange(chosen.value)
        }}
        {...rest}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown className="ic" />
    </span>
  )
}

/** A select with its label and error. */
export function SelectField<Value extends string>({ error, ...select }: SelectProps<Value> & { error?: string }) {
  return (
    <Field label={select.label} error={error}>
      {(control) => <Select {...select} {...control} />}
    </Field>
  )
}
